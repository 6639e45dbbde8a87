// The scaling law: what it was fitted on and its errors, and an evaluation on new rows.
#pragma once

#include "sextant/ask/evaluate.h"
#include "sextant/report/svg_scatter.h"
#include "sextant/report/table.h"
#include "sextant/scaling/model.h"

namespace sextant::report {

Table scaling_table(const scaling::ScalingModel& model);
Table scaling_evaluation_table(const ask::ScalingEvaluation& evaluation);
Scatter scaling_residuals(const ask::ScalingEvaluation& evaluation);

}  // namespace sextant::report
