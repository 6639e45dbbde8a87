// Servers hold the parameters, each a shard; workers push gradients and take parameters. Three degrees of
// waiting: for everybody, for the slowest within a bound, for nobody (Li et al., OSDI 2014; Ho et al., 2013).
#include <limits>

#include "ps_server.h"
#include "ps_worker.h"

namespace sextant::measure::training_strategy_parameter_server {
namespace {

class PsServerProcess final : public TrainingStrategy {
 public:
  PsServerProcess(const StrategySetup& setup, const PsMode& mode) : server_(setup, mode) {}
  StepOutcome step(std::int64_t, const input::Batch&) override {
    throw std::logic_error("a server does not train");
  }
  Replica& replica() override { throw std::logic_error("a server has no replica"); }
  FlatOptimizer* optimizer() override { return nullptr; }
  void serve() override { server_.serve(); }

 private:
  PsServer server_;
};

std::unique_ptr<TrainingStrategy> make(const StrategySetup& setup, const PsMode& mode) {
  if (setup.rank < setup.trial.workers) return std::make_unique<PsWorker>(setup, mode.defence);
  return std::make_unique<PsServerProcess>(setup, mode);
}

TrainingStrategyInfo info(PluginInfo plugin, std::vector<std::string> aliases,
                          std::unique_ptr<TrainingStrategy> (*maker)(const StrategySetup&)) {
  return {std::move(plugin), std::move(aliases), true, true, maker};
}

TrainingStrategyInfo synchronous() {
  TrainingStrategyInfo strategy = info(
      {.id = "ps-sync",
       .summary = "parameter servers update when all workers have pushed",
       .reference = "Li et al., Scaling Distributed Machine Learning with the Parameter Server, OSDI 2014",
       .parameters = defence_parameters()},
      {"parameter-server", "ps"}, [](const StrategySetup& setup) {
        return make(setup, {.synchronous = true, .defence = ps_defence(setup.trial, setup.parameters)});
      });
  strategy.check = [](const Trial& trial, const Parameters& parameters) { ps_defence(trial, parameters); };
  return strategy;
}

}  // namespace

std::vector<TrainingStrategyInfo> plugin() {
  return {
      synchronous(),
      info(
          {.id = "ps-ssp",
           .summary = "parameter servers; no worker is more than a bound ahead of the slowest",
           .reference = "Ho et al., More Effective Distributed ML via a Stale Synchronous Parallel Parameter "
                        "Server, NIPS 2013",
           .parameters = {count_parameter("bound", "iterations that a worker may be ahead", {3, 0, 1e6})}},
          {"ssp"},
          [](const StrategySetup& setup) {
            return make(
                setup, {.synchronous = false, .bound = static_cast<double>(setup.parameters.count("bound"))});
          }),
      info({.id = "ps-async",
            .summary = "parameter servers; every push is an update at once, nobody waits",
            .reference = "Dean et al., Large Scale Distributed Deep Networks, NIPS 2012"},
           {"async"}, [](const StrategySetup& setup) {
             return make(setup, {.synchronous = false, .bound = std::numeric_limits<double>::infinity()});
           })};
}

}  // namespace sextant::measure::training_strategy_parameter_server
