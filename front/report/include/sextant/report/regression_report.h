// Fitted models and their errors: methods side by side, an evaluation on new data, residual plots.
#pragma once

#include <string>
#include <vector>

#include "sextant/learn/fit.h"
#include "sextant/report/result.h"
#include "sextant/report/svg_scatter.h"

namespace sextant::report {

Result fit_result(const learn::FitReport& report);
Result evaluation_result(const learn::Model& model, const learn::Evaluation& evaluation);
// The rows of the data with predicted, low, high and extrapolating, in place of columns that are called so.
Table predictions_table(const learn::DataTables& tables, const learn::Evaluation& evaluation);

Scatter residual_plot(const learn::FitReport& report);
Scatter residual_plot(const learn::Model& model, const learn::Evaluation& evaluation);

}  // namespace sextant::report
