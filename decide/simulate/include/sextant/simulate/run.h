// One simulation: jobs, cluster, policy in; what happened to every job out. The core is driven by events on a
// clock of integer nanoseconds; rounds are a way of deciding, on top of it. Every run checks itself: see
// ledger.h.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "sextant/clusters/cluster.h"
#include "sextant/core/units.h"
#include "sextant/schedule/policy.h"
#include "sextant/simulate/job_set.h"

namespace sextant::simulate {

inline constexpr Seconds kNever{std::numeric_limits<double>::quiet_NaN()};

enum class CheckpointRule { none, fixed, young, daly };

struct CheckpointPlan {
  CheckpointRule rule = CheckpointRule::none;  // none: a crash loses everything since the job's last start
  Seconds every{};                             // compute between two checkpoints, for `fixed`
  Seconds cost{};                              // GPUs stand still while one is written
};

// Jobs that count, by their order of arrival from 0: [first, last).
struct JobWindow {
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
};

struct RecordedAllocation;  // see gavel.h

struct RunOptions {
  schedule::PolicyChoice policy;
  std::string mechanism = "event";  // id in mechanisms()
  Seconds round{360};
  Seconds reallocate{};  // in rounds: least time between two allocations while nobody new waits for one
  std::string placement = "consolidated";  // id in placements()
  Seconds startup{};                       // GPUs held, nothing done, at a job's first start
  Seconds restart{};                       // at every later start: load, replay
  CheckpointPlan checkpoint = {};
  std::vector<std::string> faults = {};  // "crash:mtbf=30d:mttr=1h"
  std::uint64_t seed = 0;
  Seconds until{std::numeric_limits<double>::infinity()};  // stop the clock there
  bool series = false;                                     // keep the time series
  // Mechanism gavel: the run ends when these jobs are done. Others go on.
  JobWindow window = {};
  const std::vector<RecordedAllocation>* replay = nullptr;  // mechanism gavel: instead of calling the policy
  bool segments = false;                                    // keep who ran where and when
  // Asked often while it runs, by its thread; true: RunAbandoned.
  using Abandon = std::function<bool()>;
  Abandon abandon = {};
};

enum class JobEnd { completed, never_started, unfinished };

struct JobOutcome {
  Seconds start = kNever;  // first
  Seconds completion = kNever;
  Seconds executed{};  // on GPUs, in all
  Seconds overhead{};  // of that, start-up, restarts and checkpoints
  Seconds lost{};      // of that, work that a crash undid
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
  Seconds time{};
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
  Seconds begin{};
  Seconds end{};
  char why = 'e';  // e: ended, p: stopped by the policy, c: crash, u: still running at the end
};

struct RunResult {
  std::vector<JobOutcome> jobs = {};  // as in JobSet::jobs
  std::vector<PoolUse> pools = {};
  Seconds begin{};    // first arrival
  Seconds horizon{};  // end of the run, on the clock of the arrivals
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

// By the mechanism of the options.
RunResult simulate(const JobSet& jobs, const clusters::Cluster& cluster, const RunOptions& options);

}  // namespace sextant::simulate
