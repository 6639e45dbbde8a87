// The scaling law: what it was fitted on and its errors, and an evaluation on new rows.
#pragma once

#include "sextant/ask/evaluate.h"
#include "sextant/report/result.h"
#include "sextant/report/svg_scatter.h"
#include "sextant/scaling/model.h"

namespace sextant::report {

Result scaling_fit_result(const scaling::ScalingModel& model);
Result evaluation_result(const ask::ScalingEvaluation& evaluation);
Scatter scaling_residuals(const ask::ScalingEvaluation& evaluation);

}  // namespace sextant::report
