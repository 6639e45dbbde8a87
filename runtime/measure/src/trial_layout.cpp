#include "trial_layout.h"

#include "sextant/core/plugin_text.h"

namespace sextant::measure {

const TrainingStrategyInfo& strategy_of(const Trial& trial) {
  const SourcePos at = at_field("strategy");
  return training_strategies().get(split_plugin_text(trial.strategy, at).id, at);
}

bool has_processes_that_talk(const Trial& trial) {
  return !trial.operators && strategy_of(trial).distributed;
}

std::int64_t rank_count(const Trial& trial) {
  return has_processes_that_talk(trial) ? trial.workers + trial.servers : 1;
}

}  // namespace sextant::measure
