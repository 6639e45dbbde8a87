// Every worker holds the whole model; gradients are summed over workers in buckets, and all make the same
// update. With overlap, buckets travel while the backward pass goes on (Li et al., VLDB 2020).
#include <algorithm>

#include "buckets.h"
#include "phase_clock.h"
#include "strategy_parts.h"
#include "transfer_queue.h"

namespace sextant::measure::training_strategy_all_reduce {
namespace {

class AllReduce final : public TrainingStrategy {
 public:
  explicit AllReduce(const StrategySetup& setup)
      : setup_(setup),
        replica_(setup.make_replica(setup.rank)),
        optimizer_(optimizer_settings(setup.trial), replica_->parameters().size()),
        buckets_(make_buckets(replica_->tensors(), setup.trial.bucket_mb)),
        queue_(needs(buckets_), setup.trial.overlap,
               [this](std::size_t i, std::int64_t ready) { transfer(i, ready); }) {}

  void begin() override {
    check_same_parameters(*setup_.transport, setup_.trial.workers, replica_->parameters());
  }

  StepOutcome step(std::int64_t iteration, const input::Batch& batch) override {
    StepOutcome outcome;
    PhaseClock clock(setup_, iteration);
    iteration_ = iteration;
    outcome.loss = replica_->forward(batch);
    outcome.times.forward_s = clock.end("forward");
    replica_->backward([this](std::size_t tensor) { queue_.ready(tensor); });
    outcome.times.backward_s = clock.end("backward");
    const double transfer_s = queue_.finish();
    outcome.times.exposed_communication_s = clock.end(nullptr);
    // Handing over between the threads is communication too.
    outcome.times.communication_s = std::max(transfer_s, outcome.times.exposed_communication_s);
    optimizer_.step(replica_->parameters(), replica_->gradients(),
                    1 / static_cast<float>(setup_.trial.workers));
    outcome.times.optimizer_s = clock.end("optimizer");
    outcome.times.total_s = clock.total();
    return outcome;
  }
  Replica& replica() override { return *replica_; }
  FlatOptimizer* optimizer() override { return &optimizer_; }
  void finish() override { setup_.transport->barrier(); }

 private:
  static std::vector<std::size_t> needs(const std::vector<GradientBucket>& buckets) {
    std::vector<std::size_t> needs;
    for (const GradientBucket& bucket : buckets) needs.push_back(bucket.last_tensor);
    return needs;
  }

  void transfer(std::size_t index, std::int64_t ready) {
    const GradientBucket& bucket = buckets_[index];
    const std::int64_t start = monotonic_ns();
    setup_.transport->all_reduce(replica_->gradients().subspan(bucket.offset, bucket.count));
    setup_.beat();
    if (setup_.spans == nullptr) return;
    setup_.spans->add({.name = "communication",
                       .start = start,
                       .end = monotonic_ns(),
                       .iteration = iteration_,
                       .bucket = static_cast<std::int64_t>(index),
                       .bytes = static_cast<std::int64_t>(bucket.count * sizeof(float)),
                       .thread = setup_.trial.overlap ? 1 : 0,
                       .ready = ready});
  }

  StrategySetup setup_;
  std::unique_ptr<Replica> replica_;
  FlatOptimizer optimizer_;
  std::vector<GradientBucket> buckets_;
  std::int64_t iteration_ = 0;
  TransferQueue queue_;  // its thread uses everything above
};

}  // namespace

std::vector<TrainingStrategyInfo> plugin() {
  return {{{.id = "all-reduce",
            .summary = "workers sum their gradients in buckets and all make the same update",
            .reference = "Li et al., PyTorch Distributed, VLDB 2020"},
           {"ddp", "ring"},
           true,
           false,
           [](const StrategySetup& setup) -> std::unique_ptr<TrainingStrategy> {
             return std::make_unique<AllReduce>(setup);
           }}};
}

}  // namespace sextant::measure::training_strategy_all_reduce
