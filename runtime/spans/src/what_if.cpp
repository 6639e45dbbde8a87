#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis_parts.h"
#include "sextant/core/text.h"

namespace sextant::spans {
namespace {

constexpr double kGone = std::numeric_limits<double>::infinity();
constexpr const char* kCompute = "compute";
constexpr const char* kStragglers = "stragglers";

std::vector<WhatIf> usual_questions() {
  return {{.phase = "communication", .factor = 2},
          {.phase = "input", .factor = kGone},
          {.phase = "optimizer", .factor = kGone},
          {.phase = kCompute, .factor = 2},
          {.phase = kStragglers, .factor = kGone}};
}

std::vector<bool> phases_of(const RunTimeline& run, const std::string& name) {
  const auto& names = run.phases.names();
  std::vector<bool> chosen(names.size(), false);
  if (name == kCompute) {
    for (const PhaseIndex p : {PhaseTable::kForward, PhaseTable::kBackward, PhaseTable::kOptimizer})
      chosen[p] = true;
    return chosen;
  }
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    std::vector<std::string> known = names;
    known.insert(known.end(), {kCompute, kStragglers});
    throw InputError(at_field("what_if"), "these spans have no phase '" + name + "'", name_hint(name, known));
  }
  chosen[static_cast<std::size_t>(found - names.begin())] = true;
  return chosen;
}

// The faster one of the middle, of an even number.
double lower_median(std::vector<double> values) {
  const auto middle = values.begin() + (std::ssize(values) - 1) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Tasks of one phase of one cycle, by worker.
using PhasePieces = std::vector<std::vector<TaskIndex>>;

// Nobody needs longer than the median worker: piece by piece where all have as many, else all in proportion.
void level(const RunGraph& graph, const PhasePieces& pieces, std::vector<double>& durations) {
  const bool alike =
      std::ranges::all_of(pieces, [&](const auto& worker) { return worker.size() == pieces.front().size(); });
  if (alike) {
    for (std::size_t i = 0; i < pieces.front().size(); ++i) {
      std::vector<double> seconds;
      for (const auto& worker : pieces) seconds.push_back(graph.tasks[worker[i]].seconds);
      const double most = lower_median(seconds);
      for (const auto& worker : pieces) durations[worker[i]] = std::min(durations[worker[i]], most);
    }
    return;
  }
  std::vector<double> sums;
  for (const auto& worker : pieces) {
    sums.push_back(0);
    for (const TaskIndex task : worker) sums.back() += graph.tasks[task].seconds;
  }
  const double most = lower_median(sums);
  for (std::size_t w = 0; w < pieces.size(); ++w)
    for (const TaskIndex task : pieces[w])
      if (sums[w] > most) durations[task] *= most / sums[w];
}

std::vector<double> without_stragglers(const RunTimeline& run, const RunGraph& graph) {
  std::vector<PhasePieces> all(run.cycles() * run.phases.size(), PhasePieces(run.workers.size()));
  for (TaskIndex i = 0; i < graph.tasks.size(); ++i) {
    const RunTask& task = graph.tasks[i];
    const bool shared = task.phase == PhaseTable::kCommunication || task.phase == PhaseTable::kOther;
    if (task.worker != kNone && !shared)
      all[task.cycle * run.phases.size() + task.phase][task.worker].push_back(i);
  }
  std::vector<double> durations = graph.durations();
  for (const PhasePieces& pieces : all) level(graph, pieces, durations);
  return durations;
}

std::vector<double> scaled(const RunGraph& graph, const std::vector<bool>& phases, double factor) {
  std::vector<double> durations = graph.durations();
  for (TaskIndex i = 0; i < graph.tasks.size(); ++i)
    if (graph.tasks[i].path && phases[graph.tasks[i].phase]) durations[i] /= factor;
  return durations;
}

}  // namespace

RetimedRun retime(const RunTimeline& run) {
  RetimedRun base{.graph = run_graph(run), .finish = {}};
  base.finish = base.graph.graph.finish(base.graph.durations());
  base.iteration_s = base.graph.iteration_s(base.finish);
  return base;
}

std::vector<WhatIf> answer_what_ifs(const RunTimeline& run, const RetimedRun& base,
                                    const std::vector<WhatIf>& questions) {
  std::vector<WhatIf> answers = questions.empty() ? usual_questions() : questions;
  for (WhatIf& answer : answers) {
    if (!(answer.factor > 0))
      throw InputError(at_field("what_if"), "the factor of '" + answer.phase + "' is not above 0");
    const std::vector<double> durations =
        answer.phase == kStragglers ? without_stragglers(run, base.graph)
                                    : scaled(base.graph, phases_of(run, answer.phase), answer.factor);
    answer.iteration_s = base.graph.iteration_s(base.graph.graph.finish(durations));
    answer.saved_share = base.iteration_s > 0 ? 1 - answer.iteration_s / base.iteration_s : 0;
  }
  return answers;
}

}  // namespace sextant::spans
