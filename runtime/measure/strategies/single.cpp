// One replica, one process: what the others are compared with.
#include "phase_clock.h"
#include "strategy_parts.h"

namespace sextant::measure::training_strategy_single {
namespace {

class Single final : public TrainingStrategy {
 public:
  explicit Single(const StrategySetup& setup)
      : setup_(setup),
        replica_(setup.make_replica(0)),
        optimizer_(optimizer_settings(setup.trial), replica_->parameters().size()) {}

  StepOutcome step(std::int64_t iteration, const input::Batch& batch) override {
    StepOutcome outcome;
    PhaseClock clock(setup_, iteration);
    outcome.loss = replica_->forward(batch);
    outcome.times.forward_s = clock.end("forward");
    replica_->backward_apart();
    outcome.times.backward_s = clock.end("backward");
    update();
    outcome.times.optimizer_s = clock.end("optimizer");
    outcome.times.total_s = clock.total();
    return outcome;
  }
  Replica& replica() override { return *replica_; }
  FlatOptimizer* optimizer() override { return &optimizer_; }

 private:
  void update() {
    optimizer_.begin_step();
    const std::span<float> parameters = replica_->parameters();
    for (std::size_t i = 0; i < replica_->tensors().size(); ++i) {
      const TensorPart& part = replica_->tensors()[i];
      const auto offset = static_cast<std::size_t>(part.offset);
      optimizer_.step_part(offset, parameters.subspan(offset, static_cast<std::size_t>(part.count)),
                           replica_->apart(i));
    }
  }

  StrategySetup setup_;
  std::unique_ptr<Replica> replica_;
  FlatOptimizer optimizer_;
};

}  // namespace

std::vector<TrainingStrategyInfo> plugin() {
  return {{{.id = "single", .summary = "one process trains alone", .reference = "the baseline"},
           {"none"},
           false,
           false,
           [](const StrategySetup& setup) -> std::unique_ptr<TrainingStrategy> {
             return std::make_unique<Single>(setup);
           }}};
}

}  // namespace sextant::measure::training_strategy_single
