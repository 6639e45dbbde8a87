#include <algorithm>
#include <cmath>

#include "planning.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::daemon {
namespace {

bool same_place(const DaemonJob& job, const NamedAssignment& wanted) {
  return job.stretch && job.stretch->machine == wanted.machine && job.stretch->gpus == wanted.gpus &&
         job.stretch->shares == wanted.shares;
}

std::string place_text(const NamedAssignment& wanted) {
  std::vector<std::string> nodes;
  for (const NodeShare& share : wanted.shares) nodes.push_back(share.node);
  return std::to_string(wanted.gpus) + (wanted.gpus == 1 ? " GPU" : " GPUs") + " of " + wanted.machine +
         " on " + join(nodes, ", ");
}

std::string due_text(const DaemonJob& job, Seconds time, Seconds now) {
  if (!std::isfinite(job.order.due.value)) return "it has no due date";
  const Seconds slack = job.order.due - now - time;
  return slack >= Seconds{0} ? "it is then " + human(slack) + " early"
                             : "it is then " + human(Seconds{-slack.value}) + " late";
}

std::string start_reason(const DaemonJob& job, const NamedAssignment& wanted, Seconds now) {
  std::string reason = place_text(wanted);
  for (const MachineTime& time : job.order.times) {
    if (time.machine != wanted.machine || time.gpus != wanted.gpus) continue;
    const Seconds left = (1 - done_by(job, now)) * job.slowness * time.time;
    reason += " do what is left in " + human(left) + "; " + due_text(job, left, now);
  }
  return reason;
}

std::string users_of(const NamedDecision& decision, const std::string& node) {
  std::vector<std::string> users;
  for (const NamedAssignment& each : decision.run) {
    if (std::ranges::find(each.shares, node, &NodeShare::node) != each.shares.end())
      users.push_back(each.job);
  }
  return users.empty() ? "no job" : join(users, ", ");
}

void add_stops(const Books& books, const NamedDecision& decision, std::vector<Step>& steps) {
  for (const std::size_t place : books.live) {
    const DaemonJob& job = books.jobs[place];
    if (job.phase != Phase::running) continue;
    const auto wanted = std::ranges::find(decision.run, job.order.id, &NamedAssignment::job);
    if (wanted != decision.run.end() && same_place(job, *wanted)) continue;
    const std::string reason = wanted == decision.run.end() ? "it waits, so that others can run"
                                                            : "it moves to " + place_text(*wanted);
    steps.push_back({.kind = StepKind::stop, .job = job.order.id, .reason = reason});
  }
}

void add_nodes(const Books& books, const NamedDecision& decision, std::vector<Step>& steps) {
  std::vector<Step> on;
  for (const DaemonNode& node : books.nodes) {
    const auto found = decision.nodes.find(node.name);
    if (found == decision.nodes.end() || found->second == node.machine) continue;
    if (!node.machine.empty()) {
      steps.push_back({.kind = StepKind::node_off,
                       .node = node.name,
                       .machine = node.machine,
                       .reason = found->second.empty() ? "no job uses it" : "it becomes a " + found->second});
    }
    if (!found->second.empty()) {
      on.push_back({.kind = StepKind::node_on,
                    .node = node.name,
                    .machine = found->second,
                    .reason = "for " + users_of(decision, node.name)});
    }
  }
  steps.insert(steps.end(), on.begin(), on.end());
}

}  // namespace

std::vector<Step> steps_of(const Books& books, const NamedDecision& decision, Seconds now) {
  std::vector<Step> steps;
  add_stops(books, decision, steps);
  add_nodes(books, decision, steps);
  for (const NamedAssignment& wanted : decision.run) {
    const DaemonJob* job = books.find(wanted.job);
    if (job == nullptr || is_over(job->phase) || (job->phase == Phase::running && same_place(*job, wanted)))
      continue;
    steps.push_back({.kind = StepKind::start,
                     .job = wanted.job,
                     .machine = wanted.machine,
                     .gpus = wanted.gpus,
                     .shares = wanted.shares,
                     .reason = start_reason(*job, wanted, now)});
  }
  return steps;
}

WaitingReasons::WaitingReasons(const Books& books) : no_nodes_(books.nodes.empty()) {
  std::map<std::string, std::int32_t> free;
  for (const DaemonNode& node : books.nodes) {
    if (node.down) continue;
    if (node.machine.empty()) {
      ++off_;
    } else {
      free[node.name] = books.machines.at(node.machine).gpus;
    }
  }
  for (const std::size_t place : books.live) {
    const DaemonJob& other = books.jobs[place];
    if (!holds_gpus(other.phase) || !other.stretch) continue;
    for (const NodeShare& share : other.stretch->shares) free[share.node] -= share.gpus;
  }
  for (const auto& [node, gpus] : free) most_free_ = std::max(most_free_, gpus);
}

std::string WaitingReasons::of(const DaemonJob& job) const {
  if (no_nodes_) return "there are no nodes";
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  for (const MachineTime& time : job.order.times) least = std::min(least, time.gpus);
  if (off_ == 0 && most_free_ < least) {
    return "all nodes are on, and none has " + std::to_string(least) + (least == 1 ? " GPU" : " GPUs") +
           " free";
  }
  return "to wait costs less than the GPUs that it could have now";
}

}  // namespace sextant::daemon
