// Tasks with durations and what each waits for; earliest and latest times by the longest path (Kelley, Walker
// 1959). One pass over tasks and edges, so that whole runs can be timed again with other durations.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sextant::spans {

using TaskIndex = std::size_t;

class TaskGraph {
 public:
  TaskIndex add() { return tasks_++; }
  void after(TaskIndex first, TaskIndex second) { edges_.emplace_back(second, first); }
  [[nodiscard]] std::size_t size() const { return tasks_; }

  // Fixes the edges and the order; false where tasks wait for each other in a circle.
  [[nodiscard]] bool arrange();
  // Earliest end of each task.
  [[nodiscard]] std::vector<double> finish(std::span<const double> durations) const;
  // What decides when a task ends, from the first that takes time.
  [[nodiscard]] std::vector<TaskIndex> path_to(TaskIndex task, std::span<const double> finish) const;
  // How much later each could end without delaying the last.
  [[nodiscard]] std::vector<double> slack(std::span<const double> durations,
                                          std::span<const double> finish) const;

 private:
  [[nodiscard]] std::span<const std::pair<TaskIndex, TaskIndex>> waits_for(TaskIndex task) const {
    return {edges_.data() + first_edge_[task], first_edge_[task + 1] - first_edge_[task]};
  }
  std::size_t tasks_ = 0;
  std::vector<std::pair<TaskIndex, TaskIndex>> edges_;  // (task, what it waits for), sorted by arrange()
  std::vector<std::size_t> first_edge_;
  std::vector<TaskIndex> order_;
};

}  // namespace sextant::spans
