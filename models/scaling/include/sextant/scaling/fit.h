// Fits the law to timed steps: maximum a posteriori under normal priors on the departures, with Huber's loss
// on log residuals, by Levenberg and Marquardt's method. Widths and errors come from fits that left rows out.
#pragma once

#include <span>

#include "sextant/core/progress.h"
#include "sextant/scaling/model.h"

namespace sextant::scaling {

struct ScalingFitOptions {
  bool network_error = true;  // measure the error on networks that were left out, a fit for each fold
};

// InputError where rows are too few or out of range.
ScalingModel fit_scaling(std::span<const ScalingRow> rows, const ScalingFitOptions& options,
                         Progress& progress);

// Adds networks (and clusters) from rows of their own, one-GPU steps as a rule; what clusters and networks
// that are known have in common stays as it was fitted.
ScalingModel adapt_scaling(ScalingModel model, std::span<const ScalingRow> rows);

}  // namespace sextant::scaling
