// Fitted models and their errors: methods side by side, an evaluation on new data, residual plots.
#pragma once

#include <string>
#include <vector>

#include "sextant/learn/fit.h"
#include "sextant/report/svg_scatter.h"
#include "sextant/report/table.h"

namespace sextant::report {

Table methods_table(const learn::FitReport& report);
Table evaluation_table(const learn::Model& model, const learn::Evaluation& evaluation);
// The rows of the data with predicted, low, high and extrapolating added.
Table predictions_table(const learn::DataTables& tables, const learn::Evaluation& evaluation);

Scatter residual_plot(const learn::FitReport& report);
Scatter residual_plot(const learn::Model& model, const learn::Evaluation& evaluation);

}  // namespace sextant::report
