// A model as clients and the server use it: trained on a client's samples from the server's parameters, and
// tested. Over a replica for every network; the engine has a faster one for plain chains of layers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/input/sample_set.h"
#include "sextant/measure/replica.h"

namespace sextant::federated {

struct Samples {
  std::vector<float> values = {};  // one sample behind the other
  std::vector<std::int64_t> labels = {};
  std::int64_t width = 0;  // values of a sample

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
  [[nodiscard]] std::span<const float> sample(std::int64_t i) const {
    return std::span(values).subspan(static_cast<std::size_t>(i * width), static_cast<std::size_t>(width));
  }
};
Samples read_samples(const input::SampleSet& set, std::span<const std::int64_t> which);

struct LocalWork {
  std::int64_t steps = 1;
  std::int64_t batch = 32;
  double learning_rate = 0.1;
  double momentum = 0;
  double proximal = 0;
  Rng order = Rng(0);
};

// The samples of the batches: epoch after epoch in a new order; the last batch of an epoch is filled up from
// the beginning of that order, so that all have the same size.
class BatchOrder {
 public:
  BatchOrder(std::int64_t samples, std::int64_t batch, Rng rng)
      : samples_(samples), batch_(batch), rng_(rng) {}
  [[nodiscard]] std::int64_t per_epoch() const { return (samples_ + batch_ - 1) / batch_; }
  std::span<const std::int64_t> next();

 private:
  std::int64_t samples_;
  std::int64_t batch_;
  Rng rng_;
  std::int64_t step_ = 0;
  std::vector<std::int64_t> order_ = {};
  std::vector<std::int64_t> rows_ = {};
};

// Of one epoch or a part of it, at least 1.
std::int64_t local_steps(std::int64_t samples, std::int64_t batch, double epochs);

struct Evaluation {
  double loss = 0;  // mean cross entropy
  std::vector<std::int64_t> confusion =
      {};  // classes x classes, row: true class, column: what the model said
  std::int64_t classes = 0;

  [[nodiscard]] std::int64_t samples() const;
  [[nodiscard]] double accuracy() const;
  [[nodiscard]] std::vector<double> recall() const;  // of each class; 1 where it has no sample
};

class LocalModel {
 public:
  virtual ~LocalModel() = default;
  virtual std::span<float> parameters() = 0;
  virtual std::span<float> statistics() = 0;
  // In place, from the current parameters; gives the mean loss over the steps.
  virtual double train(const Samples& samples, const LocalWork& work) = 0;
  // A row of scores for each sample.
  virtual std::vector<float> scores(const Samples& samples) = 0;
};
Evaluation evaluate(LocalModel& model, const Samples& samples, std::int64_t classes);

// `batch`: of the replica's graph.
std::unique_ptr<LocalModel> replica_model(std::unique_ptr<measure::Replica> replica, std::int64_t batch);

}  // namespace sextant::federated
