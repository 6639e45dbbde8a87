// Who gets how many GPUs of machines that are owned, so that due dates are kept: jobs that may be refused are
// admitted only where all due dates still can be kept (ElasticFlow, ASPLOS 2023), and GPUs that nobody needs
// go where they save the most. Beyond ElasticFlow: decided at every event rather than in slots, two orders of
// filling, restarts in the plan, and a reserve, which a job that is larger than most cannot have.
#pragma once

#include <cstdint>
#include <vector>

#include "cost_model.h"
#include "elastic_profile.h"
#include "sextant/capacity/decision.h"

namespace sextant::capacity {

struct ElasticSettings {
  // Share of the GPU time until its due date that must stay free of plans for a large job to be admitted, one
  // whose demand is above the median of those that are there.
  double reserve = 0;
  bool by_slack_too = true;  // where the order of due dates does not fit, that of the latest starts may
};

// Whether every node can be one machine type only: there is nothing to rent.
bool owns_all_nodes(const Snapshot& snapshot);

// Nodes that could be several types stay what they are, or become the type that is cheapest for all jobs
// together: what to rent is not decided here. Refuses jobs that are not promised yet where the wishes say so.
Decision plan_elastic(const Snapshot& snapshot, const ElasticSettings& settings);

// Jobs that are not promised and cannot be kept even if they have all nodes to themselves.
std::vector<std::int32_t> hopeless_jobs(const Snapshot& snapshot);

}  // namespace sextant::capacity
