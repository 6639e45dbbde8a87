#include "sextant/report/search_course.h"

#include <limits>

#include "sextant/report/analysis_plots.h"

namespace sextant::report {

std::string study_course_svg(const study::StudySpec& study, const study::StudyOutcome& outcome) {
  const explore::Objective& objective = study.problem.objectives.front();
  ConvergenceSeries series{.name = "best so far", .best = {}};
  std::vector<double> each;
  double best = std::numeric_limits<double>::quiet_NaN();
  double least = std::numeric_limits<double>::infinity();
  for (const explore::Trial& trial : search_trials(study.problem.space, outcome.trials)) {
    const std::optional<double> value = loss(trial, objective);
    if (value && feasible(trial, study.problem.limits) && *value < least) {
      least = *value;
      best = trial.outcome.metrics.at(objective.metric);
    }
    const auto metric = trial.outcome.metrics.find(objective.metric);
    const bool counts = value && metric != trial.outcome.metrics.end();
    each.push_back(counts ? metric->second : std::numeric_limits<double>::quiet_NaN());
    series.best.push_back(best);
  }
  return to_svg(ConvergencePlot{.title = "Study " + study.name + ", strategy " + study.strategy,
                                .metric = objective.metric,
                                .series = {series},
                                .trials = std::move(each)});
}

std::string table_course_svg(const study::TableSearchReport& report) {
  ConvergencePlot plot{
      .title = "Best over optimum, mean of the groups", .metric = "best over optimum", .series = {}};
  for (study::StrategyScore& score : strategy_scores(report)) {
    plot.series.push_back({.name = score.strategy, .best = std::move(score.best_over_optimum)});
  }
  return to_svg(plot);
}

}  // namespace sextant::report
