// Several replicas in one process, a thread each: gradients are summed where they lie, in the order of the
// replicas, one optimizer updates the first, and the others copy its parameters.
#include <algorithm>
#include <barrier>
#include <mutex>
#include <thread>

#include "phase_clock.h"
#include "strategy_parts.h"

namespace sextant::measure::training_strategy_mirrored {
namespace {

// Part `index` of `parts` of a batch; networks that draw their own samples get nothing.
void take_part(const input::Batch& from, std::size_t index, std::size_t parts, input::Batch& to) {
  if (from.labels.size() % parts != 0 || from.values.size() % parts != 0) {
    throw std::logic_error("mirrored: the batch cannot be divided by the replicas");
  }
  const auto copy = [&](const auto& source, auto& target) {
    const std::size_t count = source.size() / parts;
    target.assign(source.data() + index * count, source.data() + (index + 1) * count);
  };
  copy(from.values, to.values);
  copy(from.labels, to.labels);
}

// gradients[0] += gradients[1] + …, values [begin, end), always in this order.
void add_up(std::span<const std::span<float>> gradients, std::size_t begin, std::size_t end) {
  float* __restrict sum = gradients[0].data();
  for (const auto other : gradients.subspan(1)) {
    const float* __restrict values = other.data();
    for (std::size_t i = begin; i < end; ++i) sum[i] += values[i];
  }
}

class Mirrored final : public TrainingStrategy {
 public:
  explicit Mirrored(const StrategySetup& setup)
      : setup_(setup),
        count_(static_cast<std::size_t>(setup.trial.workers)),
        replicas_(count_),
        batches_(count_),
        losses_(count_),
        phase_(static_cast<std::ptrdiff_t>(count_)) {
    errors_.resize(count_);
    for (std::size_t i = 1; i < count_; ++i) threads_.emplace_back([this, i] { follow(i); });
    guarded(0, [this] { make(0); });
    phase_.arrive_and_wait();
    try {
      rethrow();
      for (const auto& replica : replicas_) gradients_.push_back(replica->gradients());
      optimizer_ = std::make_unique<FlatOptimizer>(settings(), gradients_[0].size());
    } catch (...) {
      stop();
      throw;
    }
  }
  ~Mirrored() override { stop(); }
  Mirrored(const Mirrored&) = delete;
  Mirrored& operator=(const Mirrored&) = delete;

  StepOutcome step(std::int64_t iteration, const input::Batch& batch) override {
    StepOutcome outcome;
    PhaseClock clock(setup_, iteration);
    batch_ = &batch;
    phase_.arrive_and_wait();
    guarded(0, [&] {
      take_part(batch, 0, count_, batches_[0]);
      outcome.times.input_s = clock.end("input");
      losses_[0] = replicas_[0]->forward(batches_[0]);
      outcome.times.forward_s = clock.end("forward");
      replicas_[0]->backward([](std::size_t) {});
      outcome.times.backward_s = clock.end("backward");
    });
    phase_.arrive_and_wait();
    sum_part(0);
    phase_.arrive_and_wait();
    outcome.times.communication_s = clock.end("communication");
    guarded(0, [&] {
      optimizer_->step(replicas_[0]->parameters(), gradients_[0], 1 / static_cast<float>(count_));
    });
    outcome.times.optimizer_s = clock.end("optimizer");
    phase_.arrive_and_wait();  // the others copy
    phase_.arrive_and_wait();
    outcome.times.communication_s += clock.end(nullptr);
    rethrow();
    outcome.times.exposed_communication_s = outcome.times.communication_s;
    outcome.times.total_s = clock.total();
    for (const double loss : losses_) outcome.loss += loss / static_cast<double>(count_);
    return outcome;
  }

  Replica& replica() override { return *replicas_[0]; }
  FlatOptimizer* optimizer() override { return optimizer_.get(); }
  void restore(const TrainingCheckpoint& checkpoint) override {
    TrainingStrategy::restore(checkpoint);
    for (auto& replica : replicas_) {
      copy_checked(checkpoint.parameters, replica->parameters(), "parameters");
      copy_checked(checkpoint.statistics, replica->statistics(), "statistics");
    }
  }

 private:
  [[nodiscard]] OptimizerSettings settings() const {
    OptimizerSettings settings = optimizer_settings(setup_.trial);
    settings.threads *= setup_.trial.workers;  // all replicas wait for it
    return settings;
  }

  // libtorch's threads belong to the thread that makes and runs a replica.
  void make(std::size_t index) {
    const std::lock_guard lock(making_);
    replicas_[index] = setup_.make_replica(static_cast<std::int64_t>(index));
  }

  void follow(std::size_t index) {
    guarded(index, [&] { make(index); });
    phase_.arrive_and_wait();
    while (true) {
      phase_.arrive_and_wait();
      if (stop_) return;
      guarded(index, [&] {
        take_part(*batch_, index, count_, batches_[index]);
        losses_[index] = replicas_[index]->forward(batches_[index]);
        replicas_[index]->backward([](std::size_t) {});
      });
      phase_.arrive_and_wait();
      sum_part(index);
      phase_.arrive_and_wait();
      phase_.arrive_and_wait();  // the first updates
      std::ranges::copy(replicas_[0]->parameters(), replicas_[index]->parameters().begin());
      phase_.arrive_and_wait();
    }
  }

  void sum_part(std::size_t index) {
    const std::size_t values = gradients_[0].size();
    add_up(gradients_, values * index / count_, values * (index + 1) / count_);
  }

  // A replica that fails must not leave the others at a barrier.
  template <class Call>
  void guarded(std::size_t index, const Call& call) {
    try {
      call();
    } catch (...) {
      errors_[index] = std::current_exception();
    }
  }
  void rethrow() {
    for (const auto& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
  }
  void stop() {
    if (threads_.empty()) return;
    stop_ = true;
    phase_.arrive_and_wait();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

  StrategySetup setup_;
  std::size_t count_;
  std::vector<std::unique_ptr<Replica>> replicas_;
  std::vector<input::Batch> batches_;
  std::vector<double> losses_;
  std::vector<std::exception_ptr> errors_;
  std::vector<std::span<float>> gradients_;
  std::unique_ptr<FlatOptimizer> optimizer_;
  const input::Batch* batch_ = nullptr;
  bool stop_ = false;
  std::mutex making_;
  std::barrier<> phase_;  // orders everything above between the threads
  std::vector<std::thread> threads_;
};

}  // namespace

std::vector<TrainingStrategyInfo> plugin() {
  return {{{.id = "mirrored",
            .summary = "replicas in one process, a thread each, sum their gradients in memory",
            .reference = "TensorFlow, MirroredStrategy"},
           {"mirror"},
           false,
           false,
           [](const StrategySetup& setup) -> std::unique_ptr<TrainingStrategy> {
             return std::make_unique<Mirrored>(setup);
           }}};
}

}  // namespace sextant::measure::training_strategy_mirrored
