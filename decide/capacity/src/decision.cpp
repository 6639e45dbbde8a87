#include "sextant/capacity/decision.h"

#include <algorithm>
#include <cmath>

#include "cost_model.h"

namespace sextant::capacity {
namespace {

constexpr double kRoundOff = 1e-9;  // of sums of prices and watts

struct NodeUse {
  std::int32_t used = 0;
  double first = std::numeric_limits<double>::infinity();
  double last = 0;
};

bool known(std::int32_t index, std::size_t count) {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

const JobState& job_of(const Snapshot& snapshot, const Assignment& assignment) {
  return snapshot.jobs[static_cast<std::size_t>(assignment.job)];
}

std::string node_fault(const Snapshot& snapshot, const Decision& decision) {
  if (decision.nodes.size() != snapshot.nodes.size()) return "the decision has another number of nodes";
  for (std::size_t n = 0; n < decision.nodes.size(); ++n) {
    const std::int32_t type = decision.nodes[n];
    const std::string name = "node " + std::to_string(n);
    if (type == kNone) continue;
    if (!known(type, snapshot.types.size())) return name + " has a machine type that is not there";
    if (snapshot.nodes[n].down) return name + " is down, and is switched on";
    if (snapshot.nodes[n].only != kNone && snapshot.nodes[n].only != type) {
      return name + " cannot be a " + snapshot.types[static_cast<std::size_t>(type)].name;
    }
  }
  return {};
}

std::string share_fault(const Snapshot& snapshot, const Decision& decision, const Assignment& assignment) {
  const JobState& job = job_of(snapshot, assignment);
  const JobOption& option = job.options[static_cast<std::size_t>(assignment.option)];
  const std::int32_t most = snapshot.types[static_cast<std::size_t>(option.type)].gpus;
  std::int32_t gpus = 0;
  std::int32_t partial = 0;
  for (std::size_t i = 0; i < assignment.shares.size(); ++i) {
    const Share& share = assignment.shares[i];
    if (!known(share.node, decision.nodes.size())) return "job " + job.id + " is on a node that is not there";
    if (decision.nodes[static_cast<std::size_t>(share.node)] != option.type) {
      return "job " + job.id + " is on a node of another machine type";
    }
    if (share.gpus < 1 || share.gpus > most) return "job " + job.id + " has an impossible share of a node";
    if (!job.nodes.empty() && std::ranges::find(job.nodes, share.node) == job.nodes.end()) {
      return "job " + job.id + " is on a node where it may not run";
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (assignment.shares[k].node == share.node) return "job " + job.id + " has two shares of one node";
    }
    gpus += share.gpus;
    if (share.gpus < most) ++partial;
  }
  if (gpus != option.gpus) return "job " + job.id + " does not have the GPUs of its option";
  if (assignment.shares.size() > 1 && partial > 1) {
    return "job " + job.id + " spans nodes that are not whole";
  }
  return {};
}

std::string job_fault(const Snapshot& snapshot, const Decision& decision) {
  std::vector<bool> seen(snapshot.jobs.size(), false);
  for (const std::int32_t job : decision.refused) {
    if (!known(job, snapshot.jobs.size())) return "a job is refused that is not there";
    if (seen[static_cast<std::size_t>(job)]) return "a job is refused twice";
    seen[static_cast<std::size_t>(job)] = true;
  }
  for (const Assignment& assignment : decision.run) {
    if (!known(assignment.job, snapshot.jobs.size())) return "a job runs that is not there";
    const JobState& job = job_of(snapshot, assignment);
    if (seen[static_cast<std::size_t>(assignment.job)]) {
      return "job " + job.id + " is named twice";
    }
    seen[static_cast<std::size_t>(assignment.job)] = true;
    if (!known(assignment.option, job.options.size())) return "job " + job.id + " has no such option";
    if (std::string fault = share_fault(snapshot, decision, assignment); !fault.empty()) return fault;
  }
  return {};
}

std::vector<std::int32_t> used_gpus(const Decision& decision) {
  std::vector<std::int32_t> used(decision.nodes.size(), 0);
  for (const Assignment& assignment : decision.run) {
    for (const Share& share : assignment.shares) used[static_cast<std::size_t>(share.node)] += share.gpus;
  }
  return used;
}

std::string limit_fault(const Snapshot& snapshot, const Decision& decision) {
  const CostModel model(snapshot);
  const std::vector<std::int32_t> used = used_gpus(decision);
  double rate = 0;
  Watts watts{};
  for (std::size_t n = 0; n < used.size(); ++n) {
    const std::int32_t type = decision.nodes[n];
    if (type == kNone) continue;
    if (used[n] > snapshot.types[static_cast<std::size_t>(type)].gpus) {
      return "node " + std::to_string(n) + " has fewer GPUs than its jobs use";
    }
    rate += model.rate(type, used[n]);
    watts += model.watts(type, used[n]);
  }
  const Wishes& wishes = snapshot.wishes;
  if (wishes.budget && rate > wishes.budget->value * (1 + kRoundOff))
    return "the nodes cost more than the budget";
  if (wishes.power && watts.value > wishes.power->value * (1 + kRoundOff)) {
    return "the nodes take more power than there is";
  }
  return {};
}

}  // namespace

DecisionCost cost_of(const Snapshot& snapshot, const Decision& decision) {
  const CostModel model(snapshot);
  std::vector<NodeUse> nodes(decision.nodes.size());
  std::vector<bool> waits(snapshot.jobs.size(), true);
  for (const std::int32_t job : decision.refused) waits[static_cast<std::size_t>(job)] = false;
  DecisionCost cost;
  for (const Assignment& assignment : decision.run) {
    waits[static_cast<std::size_t>(assignment.job)] = false;
    const bool moved = !stays(job_of(snapshot, assignment), assignment);
    const double time =
        model.option(assignment.job, assignment.option).time + (moved ? model.restart(assignment.job) : 0);
    cost.tardiness += Dollars{model.tardiness(assignment.job, assignment.option, moved)};
    cost.nodes += Dollars{model.work(assignment.job, assignment.option)};
    for (const Share& share : assignment.shares) {
      NodeUse& node = nodes[static_cast<std::size_t>(share.node)];
      node.used += share.gpus;
      node.first = std::min(node.first, time);
      node.last = std::max(node.last, time);
    }
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (decision.nodes[n] == kNone) continue;
    cost.nodes += Dollars{model.node_cost({.node = static_cast<std::int32_t>(n),
                                           .type = decision.nodes[n],
                                           .used = nodes[n].used,
                                           .first = nodes[n].first,
                                           .last = nodes[n].last})};
  }
  for (std::size_t j = 0; j < waits.size(); ++j) {
    if (waits[j]) cost.postponement += Dollars{model.postponement(static_cast<std::int32_t>(j))};
  }
  return cost;
}

std::string fault_of(const Snapshot& snapshot, const Decision& decision) {
  std::string fault = node_fault(snapshot, decision);
  if (fault.empty()) fault = job_fault(snapshot, decision);
  if (fault.empty()) fault = limit_fault(snapshot, decision);
  return fault;
}

}  // namespace sextant::capacity
