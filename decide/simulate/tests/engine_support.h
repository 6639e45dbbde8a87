// Job sets and clusters by hand, for tests of runs.
#pragma once

#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "sextant/simulate/run.h"

namespace sextant::simulate {

struct HandJob {
  double arrival_s = 0;
  double work = 1;  // seconds on a type of speed 1
  std::int32_t gpus = 1;
  double priority = 0;
  double deadline_s = std::numeric_limits<double>::infinity();
};

inline clusters::Cluster hand_cluster(std::initializer_list<clusters::Pool> pools) {
  return {"by hand", pools};
}

inline clusters::Cluster one_gpu() {
  return hand_cluster({{.type = "gpu", .gpus = 1, .per_node = 1}});
}

// One class per number of GPUs; each runs at the speed of the pool.
inline JobSet hand_jobs(const clusters::Cluster& cluster, const std::vector<HandJob>& list) {
  JobSet set;
  for (const HandJob& job : list) {
    std::size_t cls = 0;
    while (cls < set.classes.size() && set.classes[cls].gpus != job.gpus) ++cls;
    if (cls == set.classes.size()) {
      JobClass made{.gpus = job.gpus};
      for (const clusters::Pool& pool : cluster.pools) {
        made.rate.push_back(pool.gpus >= job.gpus ? pool.speed : 0);
        made.across_nodes.push_back(pool.across_nodes);
        made.across_racks.push_back(pool.across_racks);
      }
      set.classes.push_back(made);
    }
    set.jobs.push_back({.arrival = Seconds{job.arrival_s},
                        .work = job.work,
                        .deadline = Seconds{job.deadline_s},
                        .priority = job.priority,
                        .gpus = job.gpus,
                        .cls = static_cast<std::int32_t>(cls),
                        .source = static_cast<std::int32_t>(set.jobs.size())});
  }
  return set;
}

inline RunOptions with_policy(const std::string& policy) {
  return {.policy = schedule::parse_policy(policy)};
}

inline std::vector<double> completions(const RunResult& run) {
  std::vector<double> times;
  for (const JobOutcome& job : run.jobs) times.push_back(job.completion.value);
  return times;
}

inline std::vector<double> jct_of(const RunResult& run, const JobSet& set) {
  std::vector<double> times;
  for (std::size_t i = 0; i < run.jobs.size(); ++i) {
    times.push_back((run.jobs[i].completion - set.jobs[i].arrival).value);
  }
  return times;
}

}  // namespace sextant::simulate
