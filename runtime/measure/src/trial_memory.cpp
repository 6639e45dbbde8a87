#include "trial_memory.h"

#include "sextant/nets/cost.h"
#include "trial_layout.h"

namespace sextant::measure {
namespace {

constexpr double kValueBytes = 4;        // fp32
constexpr double kProcessBytes = 250e6;  // libtorch and its libraries, once they have run

}  // namespace

TrialMemory trial_memory(const Trial& trial, const nets::Graph& graph) {
  const nets::OpCost total = cost(graph).total;
  const auto parameters = static_cast<double>(total.parameters);
  const auto states = static_cast<double>(optimizer_state_values(trial.job.optimizer));
  const auto statistics = static_cast<double>(total.statistics);
  const TrainingStrategyInfo& strategy = strategy_of(trial);
  const double here = strategy.distributed ? 1 : static_cast<double>(trial.workers);  // replicas in a process
  const double kept_states = strategy.servers ? 0 : states;  // where servers make the updates
  TrialMemory memory;
  memory.worker_bytes = kProcessBytes + kValueBytes * parameters * kept_states +
                        here * (kValueBytes * (2 * parameters + statistics) + total.saved.value);
  memory.total_bytes = memory.worker_bytes * (strategy.distributed ? static_cast<double>(trial.workers) : 1);
  if (strategy.servers && trial.servers > 0) {
    const auto servers = static_cast<double>(trial.servers);
    memory.server_bytes = kProcessBytes + kValueBytes * parameters * (2 + states) / servers;
    memory.total_bytes += servers * memory.server_bytes;
  }
  memory.checkpoint_bytes = kValueBytes * (parameters * (1 + states) + statistics);
  return memory;
}

}  // namespace sextant::measure
