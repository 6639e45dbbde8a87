#include "sextant/ask/waiting_reason.h"

#include <algorithm>
#include <limits>

#include "sextant/core/unit_text.h"

namespace sextant::ask {
namespace {

using capacity::JobOption;
using capacity::kNone;
using capacity::MachineType;
using capacity::Snapshot;

bool runs_in(const capacity::Decision& decision, std::int32_t job) {
  return std::ranges::any_of(decision.run, [&](const capacity::Assignment& a) { return a.job == job; });
}
bool runs_in(const Snapshot& snapshot, const MethodMaker& make, std::int32_t job) {
  return runs_in(make()->decide(snapshot), job);
}

// The least that a machine for any option of the job costs, and draws.
struct Needs {
  DollarRate rate{std::numeric_limits<double>::infinity()};
  Watts power{std::numeric_limits<double>::infinity()};
};

Needs needs_of(const Snapshot& snapshot, const capacity::JobState& job) {
  Needs least;
  for (const JobOption& option : job.options) {
    const MachineType& type = snapshot.types[static_cast<std::size_t>(option.type)];
    const std::int32_t whole = (option.gpus + type.gpus - 1) / type.gpus;
    const auto machines = static_cast<double>(whole);
    least.rate = std::min(least.rate, machines * (type.hour_price / kHour));
    least.power = std::min(least.power, machines * type.idle + static_cast<double>(option.gpus) * type.busy);
  }
  return least;
}

}  // namespace

WaitingReason waiting_reason(const Snapshot& snapshot, const capacity::Decision& decision,
                             const MethodMaker& make, std::int32_t job) {
  const capacity::JobState& state = snapshot.jobs[static_cast<std::size_t>(job)];
  if (runs_in(decision, job)) return {.reason = "the next decision starts it", .remedy = ""};
  if (std::ranges::count(decision.refused, job) > 0) {
    return {.reason = "its due date cannot be kept beside those that were promised",
            .remedy = "a later due date"};
  }
  if (!(state.tardiness > DollarRate{}) || state.due == Seconds{std::numeric_limits<double>::infinity()}) {
    return {.reason = "being late costs it nothing, so it may wait for ever",
            .remedy = "a due date and a cost of tardiness"};
  }
  Snapshot other = snapshot;
  other.nodes.emplace_back();
  if (runs_in(other, make, job)) {
    return {.reason = "all nodes have jobs that would lose more by waiting", .remedy = "one more node"};
  }
  other = snapshot;
  other.wishes.budget.reset();
  other.wishes.power.reset();
  if ((snapshot.wishes.budget || snapshot.wishes.power) && runs_in(other, make, job)) {
    const Needs needs = needs_of(snapshot, state);
    if (snapshot.wishes.budget) {
      return {.reason = "the budget is spent on other jobs",
              .remedy = human(needs.rate) + " more in the budget"};
    }
    return {.reason = "the power goes to other jobs", .remedy = human(needs.power) + " more power"};
  }
  other = snapshot;
  other.jobs[static_cast<std::size_t>(job)].nodes.clear();
  if (!state.nodes.empty() && runs_in(other, make, job)) {
    return {.reason = "the nodes where it may run are taken", .remedy = "leave to run on other nodes"};
  }
  return {.reason =
              "waiting costs " + human(waiting_cost(snapshot, job)) + ", which is less than any place for it",
          .remedy = "an earlier due date, a higher cost of tardiness or a larger weight of waiting"};
}

Dollars waiting_cost(const Snapshot& snapshot, std::int32_t job) {
  const capacity::Decision nothing{.nodes = std::vector<std::int32_t>(snapshot.nodes.size(), kNone)};
  Snapshot alone = snapshot;
  alone.jobs = {snapshot.jobs[static_cast<std::size_t>(job)]};
  return cost_of(alone, nothing).postponement;
}

std::string tightest_constraint(const Snapshot& snapshot) {
  Needs least;
  const capacity::JobState* cheapest = nullptr;
  for (const capacity::JobState& job : snapshot.jobs) {
    const Needs needs = needs_of(snapshot, job);
    if (cheapest == nullptr || needs.rate < least.rate) cheapest = &job;
    least.rate = std::min(least.rate, needs.rate);
    least.power = std::min(least.power, needs.power);
  }
  if (std::ranges::all_of(snapshot.nodes, [](const capacity::NodeState& node) { return node.down; })) {
    return "all nodes are down";
  }
  const capacity::Wishes& wishes = snapshot.wishes;
  if (wishes.budget && *wishes.budget < least.rate) {
    return "`budget` is the tightest constraint: job '" + cheapest->id + "' needs a machine of " +
           human(least.rate) + ", and the budget is " + human(*wishes.budget);
  }
  if (wishes.power && *wishes.power < least.power) {
    return "`power` is the tightest constraint: the least that a job draws is " + human(least.power) +
           ", and there are " + human(*wishes.power);
  }
  return {};
}

}  // namespace sextant::ask
