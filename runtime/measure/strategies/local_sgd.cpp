// Every worker trains a model of its own, and after so many steps all take the mean of their parameters:
// federated averaging in which everybody takes part and holds as much (McMahan et al., AISTATS 2017; Stich,
// ICLR 2019). Partial participation, uneven shares and attackers are the business of `sextant federate`.
#include "phase_clock.h"
#include "strategy_parts.h"

namespace sextant::measure::training_strategy_local_sgd {
namespace {

class LocalSgd final : public TrainingStrategy {
 public:
  explicit LocalSgd(const StrategySetup& setup)
      : setup_(setup),
        replica_(setup.make_replica(setup.rank)),
        optimizer_(optimizer_settings(setup.trial), replica_->parameters().size()),
        steps_(setup.parameters.count("steps")) {}

  void begin() override {
    check_same_parameters(*setup_.transport, setup_.trial.workers, replica_->parameters());
  }

  StepOutcome step(std::int64_t iteration, const input::Batch& batch) override {
    StepOutcome outcome;
    PhaseClock clock(setup_, iteration);
    outcome.loss = replica_->forward(batch);
    outcome.times.forward_s = clock.end("forward");
    replica_->backward([](std::size_t) {});
    outcome.times.backward_s = clock.end("backward");
    optimizer_.step(replica_->parameters(), replica_->gradients());
    outcome.times.optimizer_s = clock.end("optimizer");
    if ((iteration + 1) % steps_ == 0) {
      average();
      outcome.times.exposed_communication_s = outcome.times.communication_s = clock.end("communication");
    }
    outcome.times.total_s = clock.total();
    return outcome;
  }
  Replica& replica() override { return *replica_; }
  FlatOptimizer* optimizer() override { return &optimizer_; }
  void finish() override { setup_.transport->barrier(); }

 private:
  void average() {
    const std::span<float> parameters = replica_->parameters();
    setup_.transport->all_reduce(parameters);
    const auto workers = static_cast<float>(setup_.trial.workers);
    for (float& value : parameters) value /= workers;
  }

  StrategySetup setup_;
  std::unique_ptr<Replica> replica_;
  FlatOptimizer optimizer_;
  std::int64_t steps_;
};

}  // namespace

std::vector<TrainingStrategyInfo> plugin() {
  return {{{.id = "local-sgd",
            .summary = "workers train on their own and average their parameters after so many steps",
            .reference = "McMahan et al., AISTATS 2017; Stich, ICLR 2019",
            .parameters = {count_parameter("steps", "of a worker between two averages", {1, 1, 1e9})}},
           {"fedavg"},
           true,
           false,
           [](const StrategySetup& setup) -> std::unique_ptr<TrainingStrategy> {
             return std::make_unique<LocalSgd>(setup);
           }}};
}

}  // namespace sextant::measure::training_strategy_local_sgd
