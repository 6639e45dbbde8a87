// Options of `sextant measure` that have two values each, read as a two-level design.
#pragma once

#include <vector>

#include "measure_args.h"
#include "sextant/report/measure_report.h"

namespace sextant {

// InputError where no option has two values, one has more, or a combination could not be run.
std::vector<TwoLevelFactor> design_of(const MeasureArgs& args);
std::vector<NetworkEffects> effects_of(const MeasureArgs& args, const std::vector<TrialResult>& results);

}  // namespace sextant
