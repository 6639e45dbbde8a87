// Errors and widths of the law from fits that left rows out: larger placements, and whole networks.
#pragma once

#include <span>

#include "sextant/core/progress.h"
#include "sextant/scaling/fit.h"

namespace sextant::scaling {

// The fit alone, without widths and errors.
ScalingModel fit_law(std::span<const ScalingRow> rows);

// Widths of the intervals, the error on the rows, and that on larger placements.
void set_widths(ScalingModel& model, std::span<const ScalingRow> rows);
// The error on networks that are known by their one-GPU steps: a fit for each fold of networks.
void set_network_error(ScalingModel& model, std::span<const ScalingRow> rows, Progress& progress);

}  // namespace sextant::scaling
