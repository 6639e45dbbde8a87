// What a trial's network reads: batches of the data set that the trial names, in the shape of the graph's
// input, or nothing for networks that read tokens, whose replica draws its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sextant/input/batches.h"
#include "sextant/measure/trial.h"
#include "sextant/nets/graph.h"

namespace sextant::engine {

// A process's part of every global batch.
struct BatchShare {
  std::int64_t batch = 1;  // samples of this process
  std::int64_t process = 0;
  std::int64_t processes = 1;
};

// What is read; nothing for networks whose input is drawn.
std::optional<input::SampleSetRequest> sample_request(const measure::Trial& trial, const nets::Graph& graph);

class TrainingData {
 public:
  TrainingData(const measure::Trial& trial, const nets::Graph& graph, const BatchShare& share);

  const input::Batch& next(std::int64_t index) { return batches_ ? batches_->next(index) : none_; }
  // Iterations of the trial: as asked, or as many as its epochs have; the warm-up is part of the epochs.
  [[nodiscard]] std::int64_t iterations() const;
  // The test set in the graph's batches, none where the data set has none.
  [[nodiscard]] std::unique_ptr<input::SampleSet> open_test_set() const;

 private:
  const measure::Trial& trial_;
  std::optional<input::SampleSetRequest> request_;  // none for tokens
  std::unique_ptr<input::SampleSet> set_;
  std::unique_ptr<input::BatchSource> batches_;
  input::Batch none_;
};

}  // namespace sextant::engine
