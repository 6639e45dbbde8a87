#include "sextant/report/scaling_report.h"

namespace sextant::report {
namespace {

Cell maybe_percent(const std::optional<double>& fraction) {
  return fraction ? percent_cell(*fraction) : Cell();
}

}  // namespace

Table scaling_table(const scaling::ScalingModel& model) {
  Table table{.columns = {{"rows", "steps"},
                          {"networks", "networks"},
                          {"clusters", "clusters"},
                          {"mean_error_fitted", "error, fitted rows"},
                          {"mean_error_more_gpus", "more GPUs"},
                          {"mean_error_new_network", "new network"}},
              .rows = {},
              .notes = {"More GPUs: fitted to placements of up to two thirds of the largest, judged on the "
                        "rest. New network: fitted to the others, given its one-GPU steps."}};
  table.rows.push_back({static_cast<std::int64_t>(model.rows), static_cast<std::int64_t>(model.nets.size()),
                        static_cast<std::int64_t>(model.clusters.size()), percent_cell(model.errors.fitted),
                        maybe_percent(model.errors.more_gpus), maybe_percent(model.errors.new_network)});
  return table;
}

Table scaling_evaluation_table(const ask::ScalingEvaluation& evaluation) {
  Table table{.columns = {{"method", "method"},
                          {"n", "n"},
                          {"mean_error", "mean error"},
                          {"median_error", "median"},
                          {"p90_error", "p90"},
                          {"coverage", "90 % covers"},
                          {"extrapolating", "extrapolating"}},
              .rows = {},
              .notes = {}};
  table.rows.push_back({"scaling", static_cast<std::int64_t>(evaluation.steps.size()),
                        percent_cell(evaluation.mean_error), percent_cell(evaluation.median_error),
                        percent_cell(evaluation.p90_error), percent_cell(evaluation.coverage),
                        evaluation.extrapolating});
  return table;
}

Scatter scaling_residuals(const ask::ScalingEvaluation& evaluation) {
  Scatter plot{"scaling on new data", "step_s", {}};
  for (const auto& step : evaluation.steps) {
    plot.points.push_back({step.measured.value, step.answer.predicted.value, step.answer.extrapolating});
  }
  return plot;
}

}  // namespace sextant::report
