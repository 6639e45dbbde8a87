// A model over a replica: any network that the engine can train, a graph of one batch size.
#include <algorithm>
#include <stdexcept>

#include "sextant/federated/local_model.h"
#include "sextant/measure/flat_optimizer.h"

namespace sextant::federated {
namespace {

class ReplicaModel final : public LocalModel {
 public:
  ReplicaModel(std::unique_ptr<measure::Replica> replica, std::int64_t batch)
      : replica_(std::move(replica)), batch_(batch) {}

  std::span<float> parameters() override { return replica_->parameters(); }
  std::span<float> statistics() override { return replica_->statistics(); }

  double train(const Samples& samples, const LocalWork& work) override {
    if (work.batch != batch_) throw std::logic_error("a replica of another batch size");
    const std::span<float> values = parameters();
    if (work.proximal > 0) start_.assign(values.begin(), values.end());
    measure::FlatOptimizer optimizer(
        {.kind = work.momentum > 0 ? jobs::Optimizer::momentum : jobs::Optimizer::sgd,
         .learning_rate = work.learning_rate,
         .momentum = work.momentum},
        values.size());
    BatchOrder order(samples.count(), batch_, work.order);
    double sum = 0;
    for (std::int64_t step = 0; step < work.steps; ++step) {
      fill(samples, order.next());
      sum += replica_->forward(input_);
      replica_->backward([](std::size_t) {});
      if (work.proximal > 0) pull_back(work.proximal);
      optimizer.step(values, replica_->gradients());
    }
    return sum / static_cast<double>(work.steps);
  }

  std::vector<float> scores(const Samples& samples) override {
    std::vector<float> all;
    std::vector<std::int64_t> rows(static_cast<std::size_t>(batch_));
    for (std::int64_t first = 0; first < samples.count(); first += batch_) {
      for (std::int64_t i = 0; i < batch_; ++i) {
        rows[static_cast<std::size_t>(i)] = std::min(first + i, samples.count() - 1);
      }
      fill(samples, rows);
      const std::vector<float> part = replica_->outputs(input_);
      const std::size_t width = part.size() / rows.size();
      const auto used = static_cast<std::size_t>(std::min(batch_, samples.count() - first)) * width;
      all.insert(all.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(used));
    }
    return all;
  }

 private:
  void fill(const Samples& samples, std::span<const std::int64_t> rows) {
    input_.values.resize(rows.size() * static_cast<std::size_t>(samples.width));
    input_.labels.resize(rows.size());
    auto place = input_.values.begin();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      place = std::ranges::copy(samples.sample(rows[i]), place).out;
      input_.labels[i] = samples.labels[static_cast<std::size_t>(rows[i])];
    }
  }

  // Gradient of mu/2 |w - w0|^2.
  void pull_back(double mu) {
    const std::span<float> values = parameters();
    const std::span<float> gradients = replica_->gradients();
    const auto weight = static_cast<float>(mu);
    for (std::size_t i = 0; i < values.size(); ++i) gradients[i] += weight * (values[i] - start_[i]);
  }

  std::unique_ptr<measure::Replica> replica_;
  std::int64_t batch_;
  input::Batch input_;
  std::vector<float> start_ = {};
};

}  // namespace

std::unique_ptr<LocalModel> replica_model(std::unique_ptr<measure::Replica> replica, std::int64_t batch) {
  return std::make_unique<ReplicaModel>(std::move(replica), batch);
}

}  // namespace sextant::federated
