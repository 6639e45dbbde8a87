// A job under recorded failures: it runs on some of the cluster's nodes for the whole log, writes
// checkpoints, and goes back to the last one whenever one of its nodes fails.
#pragma once

#include <cstdint>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/failures/checkpoint_interval.h"
#include "sextant/failures/failure_log.h"

namespace sextant::failures {

struct JobOnNodes {
  std::int64_t nodes = 1;
  InterruptionCosts costs = {};
};

// The interruptions of one job: times within a period.
struct Interruptions {
  std::vector<Seconds> at = {};
  Seconds period{};
};

// Of jobs on nodes drawn at random, so many; each job has its own draw from `rng`. A spare takes the place of
// a node that failed, and fails as that node does. InputError: a job on more nodes than there are.
std::vector<Interruptions> draw_jobs(const FailureLog& log, std::int64_t nodes, std::int64_t draws,
                                     const Rng& rng);

// Share of the period in which a job computes what it keeps. A failure while it restarts lets it restart
// anew. What was computed since the last checkpoint is lost with a failure, but kept at the end.
double goodput(const Interruptions& interruptions, const InterruptionCosts& costs, Seconds every);
// The mean over jobs.
double mean_goodput(const std::vector<Interruptions>& jobs, const InterruptionCosts& costs, Seconds every);

}  // namespace sextant::failures
