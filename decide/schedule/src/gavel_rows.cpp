#include "gavel_rows.h"

#include <algorithm>
#include <numeric>

namespace sextant::schedule {

std::vector<std::size_t> types_by_name(const ShareProblem& problem) {
  std::vector<std::size_t> order(problem.types.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t t) { return problem.types[t]; });
  return order;
}

void equal_split(const ShareProblem& problem, const std::vector<std::size_t>& order, const EqualPart& part,
                 double* row) {
  double sum = 0;
  for (const std::size_t t : order) {
    row[t] = problem.gpus[t] / part.units / static_cast<double>(part.gpus);
    sum += row[t];
  }
  const double scale = std::max(sum, 1.0);
  for (const std::size_t t : order) row[t] = row[t] / scale;
}

FifoOutcome fifo_by_speed(const ShareProblem& problem) {
  const std::vector<std::size_t> order = types_by_name(problem);
  std::vector<double> free = problem.gpus;
  FifoOutcome outcome;
  std::size_t j = 0;
  for (; j < problem.jobs.size(); ++j) {
    if (std::ranges::none_of(free, [](double gpus) { return gpus > 0; })) break;
    const ShareJob& job = problem.jobs[j];
    std::size_t best = problem.types.size();
    for (const std::size_t t : order) {
      if (free[t] < job.gpus) continue;
      if (best == problem.types.size() || job.rate[t] > job.rate[best]) best = t;
    }
    if (best == problem.types.size()) {
      ++j;
      break;
    }
    if (job.rate[best] <= 0) continue;
    free[best] -= job.gpus;
    outcome.placed.push_back({.job = j, .type = best});
  }
  outcome.first_waiting = j;
  return outcome;
}

}  // namespace sextant::schedule
