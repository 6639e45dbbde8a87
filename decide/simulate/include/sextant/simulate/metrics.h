// What people ask of a run: times, fairness, use of the machines, money and energy. Definitions and sources:
// docs/models/cluster-metrics.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sextant/simulate/run.h"

namespace sextant::simulate {

struct RunMetrics {
  std::int64_t jobs = 0;       // in the window
  std::int64_t completed = 0;  // of those
  Seconds mean_jct{};          // over what completed; NaN: nothing did
  Seconds p50_jct{};
  Seconds p90_jct{};
  Seconds p99_jct{};
  Seconds makespan{};  // last completion less first arrival
  Seconds mean_wait{};
  Seconds p99_wait{};
  double utilization = 0;  // GPU-seconds held / GPU-seconds there were
  double goodput = 0;      // productive GPU-seconds / GPU-seconds there were
  double fragmentation = 0;
  double jain = 0;      // of work done per second of life, relative to alone
  double ftf_mean = 0;  // finish-time fairness: JCT / time with a fair share
  double ftf_max = 0;
  double ftf_above = 0;      // fraction of jobs above 1
  double slowdown_mean = 0;  // JCT / time alone, bounded below by a run time of 10 s
  double slowdown_p99 = 0;
  std::int64_t deadlines = 0;  // jobs that have one
  std::int64_t deadline_misses = 0;
  std::int64_t restarts = 0;  // after preemptions and crashes
  // Of the whole run, as are use and fragmentation. NaN: a pool that counts has no price, or no power.
  Dollars cost{};         // of GPUs while jobs hold them
  Dollars rent{};         // of all GPUs from begin to end, used or not
  double energy_kwh = 0;  // busy and idle GPUs; what is down takes none
};

RunMetrics measure_run(const RunResult& run, const JobSet& jobs, const clusters::Cluster& cluster,
                       const JobWindow& window = {});

// Jobs of the window that did not complete, as indices of JobSet::jobs: times leave them out, reports name
// them.
std::vector<std::int32_t> unfinished_jobs(const RunResult& run, const JobWindow& window = {});

// Jain's index (sum x)^2 / (n sum x^2): 1 where all are alike, 1/n where one has everything. NaN: no values,
// or none above 0.
double jain_index(std::span<const double> values);

}  // namespace sextant::simulate
