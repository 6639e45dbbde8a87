#include "allox_match.h"

#include <algorithm>

#include "assignment.h"

namespace sextant {
namespace {

constexpr double kNoRate = 1e-10;  // in place of 0: dearer than any schedule, and finite

}  // namespace

std::vector<AlloxStart> allox_match(std::vector<AlloxJob> jobs, const std::vector<std::size_t>& machines,
                                    double alpha) {
  const std::size_t width = machines.size();
  std::ranges::stable_sort(jobs, [](const AlloxJob& a, const AlloxJob& b) { return a.age_s > b.age_s; });
  const auto looked_at = static_cast<std::size_t>(alpha * static_cast<double>(jobs.size()));
  jobs.resize(std::min(jobs.size(), std::max(width, looked_at)));
  if (jobs.empty() || width == 0) return {};

  std::vector<double> alone(jobs.size() * width);  // seconds of each job on each machine
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (std::size_t m = 0; m < width; ++m) {
      const double rate = jobs[i].rate[machines[m]];
      alone[i * width + m] = jobs[i].remaining / (rate > 0 ? rate : kNoRate);
    }
  }
  const auto cost = [&](std::size_t i, std::size_t column) {
    const auto from_last = static_cast<double>(column / width + 1);
    return from_last * alone[i * width + column % width] + jobs[i].age_s;
  };
  const std::vector<std::size_t> column = assign_rows(jobs.size(), jobs.size() * width, cost);

  std::vector<std::size_t> first(width, kUnassigned);  // by machine: the job with most behind it
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::size_t m = column[i] % width;
    if (jobs[i].rate[machines[m]] <= 0) continue;
    if (first[m] == kUnassigned || column[i] > column[first[m]]) first[m] = i;
  }
  std::vector<AlloxStart> starts;
  for (std::size_t m = 0; m < width; ++m) {
    if (first[m] != kUnassigned) starts.push_back({.job = jobs[first[m]].index, .type = machines[m]});
  }
  return starts;
}

}  // namespace sextant
