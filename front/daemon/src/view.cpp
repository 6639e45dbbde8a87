#include <algorithm>
#include <compare>

#include "planning.h"

namespace sextant::daemon {
namespace {

constexpr double kLeastLeft = 0.02;  // share of a job's time that is left of one that should be over

using Places = std::map<std::string, std::int32_t>;

Places places_of(const std::vector<std::string>& names) {
  Places places;
  for (std::size_t i = 0; i < names.size(); ++i) places[names[i]] = static_cast<std::int32_t>(i);
  return places;
}

Seconds fastest(const DaemonJob& job) {
  Seconds best{std::numeric_limits<double>::infinity()};
  for (const MachineTime& time : job.order.times) best = std::min(best, time.time);
  return best;
}

// What must start soonest comes first.
struct Pressing {
  double order;  // less is sooner: by priority
  double start;  // then by the latest start that keeps the due date
  std::size_t place;
  auto operator<=>(const Pressing&) const = default;
};

// Those that hold GPUs, and the most pressing of those that wait, in the order of submission.
std::vector<std::size_t> seen_jobs(const Books& books) {
  std::vector<std::size_t> seen;
  std::vector<Pressing> waiting;
  for (const std::size_t place : books.live) {
    const DaemonJob& job = books.jobs[place];
    if (job.phase == Phase::waiting) {
      waiting.push_back({-job.order.priority, (job.order.due - fastest(job)).value, place});
    } else {
      seen.push_back(place);
    }
  }
  if (waiting.size() > kMostSeen) {
    std::ranges::nth_element(waiting, waiting.begin() + kMostSeen);
    waiting.resize(kMostSeen);
  }
  for (const Pressing& each : waiting) seen.push_back(each.place);
  std::ranges::sort(seen);
  return seen;
}

std::vector<capacity::Share> shares_in(const std::vector<NodeShare>& shares, const Places& nodes) {
  std::vector<capacity::Share> indexed;
  for (const NodeShare& share : shares) indexed.push_back({nodes.at(share.node), share.gpus});
  return indexed;
}

capacity::JobState state_of(const DaemonJob& job, const Places& types, const Places& nodes, Seconds now) {
  capacity::JobState state{.id = job.order.id,
                           .submit = job.submitted,
                           .due = job.order.due,
                           .tardiness = job.order.tardiness,
                           .priority = job.order.priority,
                           .restart = job.starts > 0 ? job.order.restart : Seconds{0},
                           .promised = job.promised};
  const double left = std::max(kLeastLeft, 1 - done_by(job, now));
  for (const MachineTime& time : job.order.times) {
    const auto type = types.find(time.machine);
    if (type == types.end()) continue;
    state.options.push_back({.type = type->second,
                             .gpus = time.gpus,
                             .time = left * job.slowness * time.time,
                             .spread = time.spread});
  }
  std::ranges::sort(state.options, {},
                    [](const capacity::JobOption& o) { return std::pair(o.type, o.gpus); });
  for (const std::string& node : job.order.nodes) {
    if (nodes.contains(node)) state.nodes.push_back(nodes.at(node));
  }
  if (!holds_gpus(job.phase) || !job.stretch) return state;
  for (std::size_t i = 0; i < state.options.size(); ++i) {
    const capacity::JobOption& option = state.options[i];
    if (types.contains(job.stretch->machine) && option.type == types.at(job.stretch->machine) &&
        option.gpus == job.stretch->gpus) {
      state.running = static_cast<std::int32_t>(i);
    }
  }
  state.shares = shares_in(job.stretch->shares, nodes);
  return state;
}

}  // namespace

View view_of(const Books& books, const capacity::Wishes& wishes, Seconds now) {
  View view;
  view.snapshot.now = now;
  view.snapshot.wishes = wishes;
  for (const auto& [name, machine] : books.machines) {
    view.types.push_back(name);
    view.snapshot.types.push_back(machine);
  }
  for (const DaemonNode& node : books.nodes) view.nodes.push_back(node.name);
  const Places types = places_of(view.types);
  const Places nodes = places_of(view.nodes);
  for (const DaemonNode& node : books.nodes) {
    view.snapshot.nodes.push_back({.type = node.machine.empty() ? capacity::kNone : types.at(node.machine),
                                   .only = node.only.empty() ? capacity::kNone : types.at(node.only),
                                   .paid_until = node.paid_until,
                                   .down = node.down});
  }
  for (const std::size_t place : seen_jobs(books)) {
    view.jobs.push_back(books.jobs[place].order.id);
    view.snapshot.jobs.push_back(state_of(books.jobs[place], types, nodes, now));
  }
  return view;
}

NamedDecision named(const View& view, const capacity::Decision& decision) {
  const auto at = [](const auto& list, std::int32_t index) { return list[static_cast<std::size_t>(index)]; };
  NamedDecision result;
  for (std::size_t i = 0; i < decision.nodes.size(); ++i) {
    const std::int32_t type = decision.nodes[i];
    result.nodes[view.nodes[i]] = type == capacity::kNone ? "" : at(view.types, type);
  }
  for (const capacity::Assignment& assignment : decision.run) {
    const capacity::JobOption option = at(at(view.snapshot.jobs, assignment.job).options, assignment.option);
    NamedAssignment each{
        .job = at(view.jobs, assignment.job), .machine = at(view.types, option.type), .gpus = option.gpus};
    for (const capacity::Share& share : assignment.shares)
      each.shares.push_back({at(view.nodes, share.node), share.gpus});
    result.run.push_back(std::move(each));
  }
  for (const std::int32_t job : decision.refused) result.refused.push_back(at(view.jobs, job));
  if (!view.snapshot.wishes.admission) return result;
  for (const std::string& job : view.jobs) {
    if (std::ranges::find(result.refused, job) == result.refused.end()) result.admitted.push_back(job);
  }
  return result;
}

std::optional<capacity::Decision> decision_for(const View& view, const NamedDecision& named) {
  const Places types = places_of(view.types);
  const Places nodes = places_of(view.nodes);
  const Places jobs = places_of(view.jobs);
  capacity::Decision decision;
  decision.nodes.assign(view.nodes.size(), capacity::kNone);
  if (named.nodes.size() != nodes.size()) return {};
  for (const auto& [node, machine] : named.nodes) {
    if (!nodes.contains(node) || (!machine.empty() && !types.contains(machine))) return {};
    if (!machine.empty()) decision.nodes[static_cast<std::size_t>(nodes.at(node))] = types.at(machine);
  }
  for (const NamedAssignment& each : named.run) {
    if (!jobs.contains(each.job)) continue;
    capacity::Assignment assignment{.job = jobs.at(each.job), .shares = shares_in(each.shares, nodes)};
    const auto& options = view.snapshot.jobs[static_cast<std::size_t>(assignment.job)].options;
    const auto option = std::ranges::find_if(options, [&](const capacity::JobOption& o) {
      return o.type == types.at(each.machine) && o.gpus == each.gpus;
    });
    if (option == options.end()) return {};
    assignment.option = static_cast<std::int32_t>(option - options.begin());
    decision.run.push_back(std::move(assignment));
  }
  for (const std::string& job : named.refused) {
    if (jobs.contains(job)) decision.refused.push_back(jobs.at(job));
  }
  return decision;
}

}  // namespace sextant::daemon
