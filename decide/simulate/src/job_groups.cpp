#include "sextant/simulate/job_groups.h"

#include <algorithm>
#include <array>
#include <limits>

#include "job_times.h"

namespace sextant::simulate {
namespace {

// Enough batches for an interval of a mean, few enough that each is longer than a busy period of most
// clusters; the usual advice is 10 to 30 (Law, Simulation Modeling and Analysis, ch. 9).
constexpr std::size_t kBatches = 20;
constexpr std::size_t kFewestInBatch = 5;
constexpr std::size_t kFewestForLoad = 30;

// A sum of completion times.
struct TimeSum {
  double seconds = 0;
  std::int64_t count = 0;

  void add(double time) {
    seconds += time;
    ++count;
  }
  [[nodiscard]] double mean() const {
    return count > 0 ? seconds / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
  }
};

constexpr std::array<const char*, 6> kGroupNames = {"jobs on one GPU",
                                                    "jobs on 2 to 8 GPUs",
                                                    "jobs on more than 8 GPUs",
                                                    "the quarter of the jobs with the shortest run times",
                                                    "the half of the jobs with medium run times",
                                                    "the quarter of the jobs with the longest run times"};

std::size_t group_by_gpus(std::int32_t gpus) {
  if (gpus <= 1) return 0;
  return gpus <= 8 ? 1 : 2;
}

// Limits of the run times of the middle half.
std::pair<double, double> middle_half(std::vector<double> run_times) {
  const auto nth = [&](std::size_t place) {
    std::ranges::nth_element(run_times, run_times.begin() + static_cast<std::ptrdiff_t>(place));
    return run_times[place];
  };
  const std::size_t count = run_times.size();
  const double low = nth(count / 4);
  return {low, nth(count - 1 - count / 4)};
}

double load_of(const JobSet& jobs, std::size_t first, std::size_t last, std::int64_t gpus) {
  if (last - first < kFewestForLoad) return 0;
  const Seconds end = jobs.jobs[last - 1].arrival;
  double asked = 0;
  for (std::size_t i = first; i < last; ++i) {
    const double until_end = (end - jobs.jobs[i].arrival).value;
    asked += jobs.jobs[i].gpus * std::min(alone_s(jobs.jobs[i], jobs), until_end);
  }
  const double span = (end - jobs.jobs[first].arrival).value;
  return span > 0 ? asked / (span * static_cast<double>(gpus)) : 0;
}

}  // namespace

JobGroups group_jobs(const RunResult& run, const JobSet& jobs, const clusters::Cluster& cluster,
                     const JobWindow& window) {
  const std::size_t last = std::min(static_cast<std::size_t>(window.last), jobs.jobs.size());
  const std::size_t first = std::min(static_cast<std::size_t>(window.first), last);
  JobGroups found;
  if (first == last) return found;
  std::vector<double> run_times;
  for (std::size_t i = first; i < last; ++i) run_times.push_back(alone_s(jobs.jobs[i], jobs));
  const auto [low, high] = middle_half(run_times);
  std::array<TimeSum, kGroupNames.size()> sums = {};
  std::vector<TimeSum> batches(last - first >= kBatches * kFewestInBatch ? kBatches : 0);
  bool all = true;
  for (std::size_t i = first; i < last; ++i) {
    all = all && run.jobs[i].end == JobEnd::completed;
    if (run.jobs[i].end != JobEnd::completed) continue;
    const double jct = (run.jobs[i].completion - jobs.jobs[i].arrival).value;
    const double length = run_times[i - first];
    sums[group_by_gpus(jobs.jobs[i].gpus)].add(jct);
    sums[length < low ? 3 : (length <= high ? 4 : 5)].add(jct);
    if (!batches.empty()) batches[(i - first) * kBatches / (last - first)].add(jct);
  }
  for (std::size_t g = 0; g < sums.size(); ++g) {
    found.groups.push_back({kGroupNames[g], sums[g].count, Seconds{sums[g].mean()}});
  }
  for (const TimeSum& batch : batches) {
    if (all) found.batch_jct_s.push_back(batch.mean());
  }
  found.offered_load = load_of(jobs, first, last, cluster.gpus());
  return found;
}

}  // namespace sextant::simulate
