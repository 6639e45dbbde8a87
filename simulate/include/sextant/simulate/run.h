// One simulation: jobs, cluster, policy in; what happened to every job out. The core is driven by events on a
// clock of integer nanoseconds; rounds are a way of deciding, on top of it. Every run checks itself: see
// ledger.h.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "sextant/schedule/policy.h"
#include "sextant/simulate/cluster_spec.h"
#include "sextant/simulate/job_set.h"

namespace sextant {

inline constexpr double kNever = std::numeric_limits<double>::quiet_NaN();

enum class Mechanism { event, rounds };

enum class CheckpointRule { none, fixed, young, daly };

struct CheckpointPlan {
  CheckpointRule rule = CheckpointRule::none;  // none: a crash loses everything since the job's last start
  double every_s = 0;                          // compute between two checkpoints, for `fixed`
  double cost_s = 0;                           // GPUs stand still while one is written
};

struct RunOptions {
  PolicyChoice policy;
  Mechanism mechanism = Mechanism::event;
  double round_s = 360;
  double reallocate_s = 0;  // in rounds: least time between two allocations while nobody new waits for one
  std::string placement = "consolidated";  // id in placements()
  double startup_s = 0;                    // GPUs held, nothing done, at a job's first start
  double restart_s = 0;                    // at every later start: load, replay
  CheckpointPlan checkpoint = {};
  std::vector<std::string> faults = {};  // "crash:mtbf=30d:mttr=1h"
  std::uint64_t seed = 0;
  double until_s = std::numeric_limits<double>::infinity();  // stop the clock there
  bool series = false;                                       // keep the time series
  bool segments = false;                                     // keep who ran where and when
};

enum class JobEnd { completed, never_started, unfinished };

struct JobOutcome {
  double start_s = kNever;  // first
  double completion_s = kNever;
  double executed_s = 0;  // on GPUs, in all
  double overhead_s = 0;  // of that, start-up, restarts and checkpoints
  double lost_s = 0;      // of that, work that a crash undid
  std::int32_t preemptions = 0;
  std::int32_t crashes = 0;
  std::int32_t type = -1;  // that it ran on last
  JobEnd end = JobEnd::never_started;
};

// GPU-seconds of one type from the first arrival to the end of the run; they add up to gpus * horizon.
struct PoolUse {
  double productive = 0;
  double overhead = 0;
  double lost = 0;
  double idle = 0;
  double down = 0;
};

struct SeriesPoint {  // holds from its time to that of the next point
  double time_s = 0;
  std::int32_t used = 0;        // GPUs
  std::int32_t down = 0;        // GPUs
  std::int32_t running = 0;     // jobs
  std::int32_t waiting = 0;     // jobs
  std::int32_t fragmented = 0;  // free GPUs on nodes that cannot hold the most usual request
};

struct Segment {
  std::int32_t job = 0;  // in JobSet::jobs
  std::int32_t type = 0;
  std::int32_t node = 0;  // first of its nodes
  std::int32_t nodes = 1;
  double begin_s = 0;
  double end_s = 0;
  char why = 'e';  // e: ended, p: stopped by the policy, c: crash, u: still running at the end
};

struct RunResult {
  std::vector<JobOutcome> jobs = {};  // as in JobSet::jobs
  std::vector<PoolUse> pools = {};
  double begin_s = 0;    // first arrival
  double horizon_s = 0;  // end of the run, on the clock of the arrivals
  std::uint64_t events = 0;
  std::uint64_t rounds = 0;
  std::uint64_t decisions = 0;
  double fragmentation = 0;  // mean over time of fragmented / free GPUs
  std::vector<SeriesPoint> series = {};
  std::vector<Segment> segments = {};
};

// Thrown when a run contradicts itself: a bug, with the event at which it showed. Exit code 1.
class ConservationError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

RunResult simulate(const JobSet& jobs, const ClusterSpec& cluster, const RunOptions& options);

}  // namespace sextant
