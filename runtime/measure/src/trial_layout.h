// How a trial's strategy spreads it over processes.
#pragma once

#include "sextant/measure/training_strategy.h"

namespace sextant::measure {

// InputError with a hint for a strategy that is not known.
const TrainingStrategyInfo& strategy_of(const Trial& trial);

// A process a worker, which talk over the trial's transport; else one process holds all. Operators are timed
// in one process whatever the strategy.
bool has_processes_that_talk(const Trial& trial);

}  // namespace sextant::measure
