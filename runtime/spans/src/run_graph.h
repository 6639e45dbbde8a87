// A whole run as tasks: stretches of training threads in their order, transfers that join all ranks, servers
// that answer in the order in which they did. Waits are no tasks: they follow from what is waited for, so
// that the run can be timed again with other durations (Daydream, Zhu et al., ATC 2020).
#pragma once

#include <functional>
#include <vector>

#include "run_timeline.h"
#include "task_graph.h"

namespace sextant::spans {

struct RunTask {
  std::int64_t process = 0;
  std::size_t worker = kNone;  // kNone: a server
  std::size_t cycle = 0;
  PhaseIndex phase = PhaseTable::kOther;
  double seconds = 0;
  bool path = true;  // false: the time from the start of the run to that of a worker
};

struct RunGraph {
  TaskGraph graph;
  std::vector<RunTask> tasks;
  // Tasks whose ends are the borders of iterations: [worker][cycle].
  std::vector<std::vector<TaskIndex>> before;
  std::vector<std::vector<TaskIndex>> last;

  [[nodiscard]] std::vector<double> durations() const;
  // Median over iterations of the slowest worker's.
  [[nodiscard]] double iteration_s(const std::vector<double>& finish) const;
};

// InputError where spans contradict each other, so that tasks would wait in a circle.
RunGraph run_graph(const RunTimeline& run);

}  // namespace sextant::spans
