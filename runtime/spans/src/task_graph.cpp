#include "task_graph.h"

#include <algorithm>

namespace sextant::spans {

bool TaskGraph::arrange() {
  std::ranges::sort(edges_);
  first_edge_.assign(tasks_ + 1, 0);
  std::vector<std::size_t> missing(tasks_, 0);
  std::vector<std::size_t> first_follower(tasks_ + 1, 0);
  for (const auto& [task, before] : edges_) {
    ++first_edge_[task + 1];
    ++missing[task];
    ++first_follower[before + 1];
  }
  for (TaskIndex i = 0; i < tasks_; ++i) {
    first_edge_[i + 1] += first_edge_[i];
    first_follower[i + 1] += first_follower[i];
  }
  std::vector<TaskIndex> followers(edges_.size());
  std::vector<std::size_t> next(first_follower.begin(), first_follower.end() - 1);
  for (const auto& [task, before] : edges_) followers[next[before]++] = task;

  order_.clear();
  for (TaskIndex i = 0; i < tasks_; ++i)
    if (missing[i] == 0) order_.push_back(i);
  for (std::size_t done = 0; done < order_.size(); ++done) {
    const TaskIndex task = order_[done];
    for (std::size_t i = first_follower[task]; i < first_follower[task + 1]; ++i)
      if (--missing[followers[i]] == 0) order_.push_back(followers[i]);
  }
  return order_.size() == tasks_;
}

std::vector<double> TaskGraph::finish(std::span<const double> durations) const {
  std::vector<double> finish(tasks_, 0);
  for (const TaskIndex task : order_) {
    double start = 0;
    for (const auto& edge : waits_for(task)) start = std::max(start, finish[edge.second]);
    finish[task] = start + durations[task];
  }
  return finish;
}

std::vector<TaskIndex> TaskGraph::path_to(TaskIndex task, std::span<const double> finish) const {
  std::vector<TaskIndex> path;
  while (true) {
    if (finish[task] > 0) path.push_back(task);
    const auto before = waits_for(task);
    if (before.empty()) break;
    task =
        std::ranges::max_element(before, {}, [&](const auto& edge) { return finish[edge.second]; })->second;
  }
  std::ranges::reverse(path);
  return path;
}

std::vector<double> TaskGraph::slack(std::span<const double> durations,
                                     std::span<const double> finish) const {
  if (tasks_ == 0) return {};
  std::vector<double> latest(tasks_, std::ranges::max(finish));
  for (std::size_t i = order_.size(); i-- > 0;) {
    const TaskIndex task = order_[i];
    for (const auto& edge : waits_for(task))
      latest[edge.second] = std::min(latest[edge.second], latest[task] - durations[task]);
  }
  for (TaskIndex i = 0; i < tasks_; ++i) latest[i] -= finish[i];
  return latest;
}

}  // namespace sextant::spans
