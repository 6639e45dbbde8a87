#include "sextant/report/search_course.h"

#include <algorithm>
#include <limits>

#include "sextant/report/analysis_plots.h"

namespace sextant {

std::string study_course_svg(const StudySpec& study, const StudyOutcome& outcome) {
  const Objective& objective = study.problem.objectives.front();
  ConvergenceSeries series{.name = study.strategy, .best = {}};
  double best = std::numeric_limits<double>::quiet_NaN();
  double least = std::numeric_limits<double>::infinity();
  for (const SearchTrial& trial : search_trials(study.problem.space, outcome.trials)) {
    const std::optional<double> value = loss(trial, objective);
    if (value && feasible(trial, study.problem.limits) && *value < least) {
      least = *value;
      best = trial.metrics.at(objective.metric);
    }
    series.best.push_back(best);
  }
  return to_svg(
      ConvergencePlot{.title = "Best so far: " + study.name, .metric = objective.metric, .series = {series}});
}

std::string table_course_svg(const TableSearchReport& report) {
  ConvergencePlot plot{
      .title = "Best over optimum, mean of the groups", .metric = "best over optimum", .series = {}};
  for (const TableSearchResult& result : report.results) {
    auto found = std::ranges::find(plot.series, result.strategy, &ConvergenceSeries::name);
    if (found == plot.series.end()) {
      const std::vector<double> none(result.best_over_optimum_mean.size());
      found = plot.series.insert(found, {.name = result.strategy, .best = none});
    }
    for (std::size_t t = 0; t < found->best.size(); ++t) found->best[t] += result.best_over_optimum_mean[t];
  }
  for (ConvergenceSeries& series : plot.series) {
    const auto groups =
        static_cast<double>(std::ranges::count(report.results, series.name, &TableSearchResult::strategy));
    for (double& value : series.best) value /= groups;
  }
  return to_svg(plot);
}

}  // namespace sextant
