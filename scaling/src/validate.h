// Errors and widths of the law from fits that left rows out: larger placements, and whole networks.
#pragma once

#include <span>

#include "sextant/core/progress.h"
#include "sextant/scaling/fit.h"

namespace sextant {

void set_errors(ScalingModel& model, std::span<const ScalingRow> rows, Progress& progress);

}  // namespace sextant
