// Fitted models and their errors: methods side by side, an evaluation on new data, residual plots.
#pragma once

#include <string>
#include <vector>

#include "sextant/learn/fit.h"
#include "sextant/report/svg_scatter.h"
#include "sextant/report/table.h"

namespace sextant {

Table methods_table(const FitReport& report);
Table evaluation_table(const Model& model, const Evaluation& evaluation);
// The rows of the data with predicted, low, high and extrapolating added.
Table predictions_table(const DataTables& tables, const Evaluation& evaluation);

Scatter residual_plot(const FitReport& report);
Scatter residual_plot(const Model& model, const Evaluation& evaluation);

}  // namespace sextant
