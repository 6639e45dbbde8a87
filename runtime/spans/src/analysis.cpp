#include "sextant/spans/analysis.h"

#include <algorithm>
#include <cmath>

#include "analysis_parts.h"
#include "sextant/core/text.h"
#include "sextant/stats/robust.h"

namespace sextant::spans {
namespace {

constexpr double kAgreement = 0.01;  // of the graph with what was measured
constexpr double kVisible = 0.001;   // of an iteration, on its critical path

std::vector<double> iteration_times(const RunTimeline& run) {
  std::vector<double> times(run.cycles(), 0);
  for (const WorkerTimeline& worker : run.workers)
    for (std::size_t i = 0; i < times.size(); ++i)
      times[i] = std::max(times[i], static_cast<double>(worker.ends[i] - worker.starts[i]) * 1e-9);
  return times;
}

std::size_t median_cycle(const std::vector<double>& times, double middle) {
  const auto closest =
      std::ranges::min_element(times, {}, [&](double time) { return std::abs(time - middle); });
  return static_cast<std::size_t>(closest - times.begin());
}

// Tasks that decided when the run ended.
std::vector<TaskIndex> critical_tasks(const RetimedRun& retimed) {
  const RunGraph& graph = retimed.graph;
  TaskIndex last = graph.last.front().back();
  for (const auto& worker : graph.last)
    if (retimed.finish[worker.back()] > retimed.finish[last]) last = worker.back();
  std::vector<TaskIndex> path = graph.graph.path_to(last, retimed.finish);
  std::erase_if(path, [&](TaskIndex i) { return !graph.tasks[i].path || graph.tasks[i].seconds <= 0; });
  return path;
}

// Steps of one cycle; those too short to matter are left out, so that what they separate is one step.
std::vector<PathStep> steps_of(const RunTimeline& run, const RetimedRun& retimed,
                               const std::vector<TaskIndex>& path, std::size_t cycle) {
  std::vector<PathStep> steps;
  for (const TaskIndex i : path) {
    const RunTask& task = retimed.graph.tasks[i];
    if (task.cycle != cycle || task.seconds < kVisible * retimed.iteration_s) continue;
    const std::string& name = run.phases.names()[task.phase];
    if (!steps.empty() && steps.back().process == task.process && steps.back().name == name)
      steps.back().seconds += task.seconds;
    else
      steps.push_back({task.process, name, task.seconds});
  }
  return steps;
}

std::vector<PhaseShare> shares_of(const RunTimeline& run, const RunTotals& totals, const RetimedRun& retimed,
                                  const std::vector<TaskIndex>& path) {
  std::vector<double> critical(run.phases.size(), 0);
  double length = 0;
  for (const TaskIndex i : path) {
    critical[retimed.graph.tasks[i].phase] += retimed.graph.tasks[i].seconds;
    length += retimed.graph.tasks[i].seconds;
  }
  std::vector<PhaseShare> shares;
  for (PhaseIndex p = 0; p < run.phases.size(); ++p) {
    std::vector<double> seconds;
    std::vector<double> exposed;
    for (const auto& worker : totals)
      for (const CycleTotals& cycle : worker) {
        seconds.push_back(cycle.phase[p]);
        exposed.push_back(p == PhaseTable::kCommunication ? cycle.exposed_s : cycle.phase[p]);
      }
    const PhaseShare share{.name = run.phases.names()[p],
                           .seconds = stats::median(seconds),
                           .exposed_s = stats::median(exposed),
                           .critical_share = length > 0 ? critical[p] / length : 0};
    // Names beyond the usual ones only where they matter.
    if (p <= PhaseTable::kOther || share.seconds > 0 || share.critical_share > 0) shares.push_back(share);
  }
  return shares;
}

std::string disagreement(double measured, double retimed) {
  return "the graph of dependencies takes " + number_text(retimed) + " s for an iteration of " +
         number_text(measured) + " s: something was waited for that no span shows, so what-ifs are rough";
}

}  // namespace

SpanAnalysis analyze_spans(const SpanSet& set, const SpanQuestions& questions) {
  const RunTimeline run = run_timeline(set, questions.skip);
  const RunTotals totals = run_totals(run);
  const RetimedRun retimed = retime(run);
  const std::vector<double> times = iteration_times(run);

  SpanAnalysis analysis;
  analysis.iterations = std::ssize(run.iterations);
  analysis.recorded = run.recorded;
  analysis.begin_ns = std::ranges::min(set.spans, {}, &Span::start_ns).start_ns;
  analysis.workers = std::ssize(run.workers);
  analysis.iteration_s = stats::median(times);
  analysis.retimed_s = retimed.iteration_s;
  const std::vector<TaskIndex> path = critical_tasks(retimed);
  analysis.phases = shares_of(run, totals, retimed, path);
  analysis.critical_path = steps_of(run, retimed, path, median_cycle(times, analysis.iteration_s));
  analysis.stragglers = find_stragglers(run, totals);
  analysis.slow = find_slow_iterations(run, totals);
  analysis.what_if = answer_what_ifs(run, retimed, questions.what_if);
  if (std::abs(analysis.retimed_s - analysis.iteration_s) > kAgreement * analysis.iteration_s)
    analysis.warnings.push_back(disagreement(analysis.iteration_s, analysis.retimed_s));
  return analysis;
}

}  // namespace sextant::spans
