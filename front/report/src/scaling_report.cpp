#include "sextant/report/scaling_report.h"

namespace sextant::report {
namespace {

using ask::ScalingEvaluation;
using enum Importance;
using scaling::ScalingModel;

Cell maybe_percent(const std::optional<double>& fraction) {
  return fraction ? percent_cell(*fraction) : Cell();
}

Cell count_of_fit(std::size_t count) {
  return Cell(static_cast<std::int64_t>(count));
}

Fields<ScalingModel> scaling_fit_fields() {
  return {
      {"rows", "steps", [](const ScalingModel& m) { return count_of_fit(m.rows); }},
      {"networks", "networks", [](const ScalingModel& m) { return count_of_fit(m.nets.size()); }},
      {"clusters", "clusters", [](const ScalingModel& m) { return count_of_fit(m.clusters.size()); }},
      {"mean_error_fitted", "error, fitted rows",
       [](const ScalingModel& m) { return percent_cell(m.errors.fitted); }, essential},
      {"mean_error_more_gpus", "more GPUs",
       [](const ScalingModel& m) { return maybe_percent(m.errors.more_gpus); }, essential},
      {"mean_error_new_network", "new network",
       [](const ScalingModel& m) { return maybe_percent(m.errors.new_network); }, essential},
  };
}

Fields<ScalingEvaluation> scaling_evaluation_fields() {
  return {
      {"method", "method", [](const ScalingEvaluation&) { return Cell("scaling"); }, identity},
      {"n", "n", [](const ScalingEvaluation& e) { return count_of_fit(e.steps.size()); }},
      {"mean_error", "mean error", [](const ScalingEvaluation& e) { return percent_cell(e.mean_error); },
       essential},
      {"median_error", "median", [](const ScalingEvaluation& e) { return percent_cell(e.median_error); }},
      {"p90_error", "p90", [](const ScalingEvaluation& e) { return percent_cell(e.p90_error); }},
      {"coverage", "90 % covers", [](const ScalingEvaluation& e) { return percent_cell(e.coverage); }},
      {"extrapolating", "extrapolating", [](const ScalingEvaluation& e) { return Cell(e.extrapolating); }},
  };
}

}  // namespace

Result scaling_fit_result(const ScalingModel& model) {
  const Fields<ScalingModel> fields = explained(
      scaling_fit_fields(), {{"mean_error_more_gpus",
                              "fitted to placements of up to two thirds of the largest, judged on the rest"},
                             {"mean_error_new_network", "fitted to the others, given its one-GPU steps"}});
  return {.schema = "sextant.fit-scaling/1", .facts = facts_of(fields, model)};
}

Result evaluation_result(const ScalingEvaluation& evaluation) {
  return {.schema = "sextant.scaling-evaluation/1",
          .facts = facts_of(scaling_evaluation_fields(), evaluation)};
}

Scatter scaling_residuals(const ScalingEvaluation& evaluation) {
  Scatter plot{"scaling on new data", "step_s", {}};
  for (const auto& step : evaluation.steps) {
    plot.points.push_back({step.measured.value, step.answer.predicted.value, step.answer.extrapolating});
  }
  return plot;
}

}  // namespace sextant::report
