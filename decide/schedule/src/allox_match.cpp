#include "allox_match.h"

#include <algorithm>

#include "assignment.h"

namespace sextant::schedule {
namespace {

constexpr double kNoRate = 1e-10;  // in place of 0: dearer than any schedule, and finite

}  // namespace

std::size_t allox_window(std::size_t jobs, std::size_t machines, double alpha) {
  const auto fraction = static_cast<std::size_t>(alpha * static_cast<double>(jobs));
  return std::min(jobs, std::max(machines, fraction));
}

std::vector<AlloxStart> allox_match(const std::vector<AlloxJob>& jobs,
                                    const std::vector<std::size_t>& machines) {
  const std::size_t width = machines.size();
  if (jobs.empty() || width == 0) return {};

  std::vector<double> alone(jobs.size() * width);  // seconds of each job on each machine
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (std::size_t m = 0; m < width; ++m) {
      const double rate = jobs[i].rate[machines[m]];
      alone[i * width + m] = jobs[i].remaining / (rate > 0 ? rate : kNoRate);
    }
  }
  const auto cost = [&](std::size_t i, std::size_t column) {
    const std::size_t from_last = column / width + 1;
    return static_cast<double>(from_last) * alone[i * width + column % width] + jobs[i].age_s;
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

std::vector<AlloxStart> allox_shortest(std::vector<AlloxJob> jobs, std::size_t type, std::size_t machines) {
  std::erase_if(jobs, [&](const AlloxJob& job) { return !(job.rate[type] > 0); });
  const auto first = static_cast<std::ptrdiff_t>(std::min(machines, jobs.size()));
  std::partial_sort(jobs.begin(), jobs.begin() + first, jobs.end(),
                    [&](const AlloxJob& a, const AlloxJob& b) {
                      const double a_s = a.remaining / a.rate[type];
                      const double b_s = b.remaining / b.rate[type];
                      return a_s != b_s ? a_s < b_s : a.index < b.index;
                    });
  std::vector<AlloxStart> starts;
  for (std::ptrdiff_t i = 0; i < first; ++i)
    starts.push_back({.job = jobs[static_cast<std::size_t>(i)].index, .type = type});
  return starts;
}

}  // namespace sextant::schedule
