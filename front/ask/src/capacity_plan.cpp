#include "sextant/ask/capacity_plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "absurd_values.h"
#include "sextant/ask/network_times.h"
#include "sextant/ask/waiting_reason.h"
#include "sextant/capacity/method.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/stats/distributions.h"

namespace sextant::ask {
namespace {

using capacity::Assignment;
using capacity::kNone;
using capacity::Snapshot;

std::size_t place_of(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

void predict_times(capacity::Instance& instance, const catalog::Catalog& catalog, CapacityAnswer& answer) {
  for (const capacity::NetworkJob& network : instance.networks) {
    capacity::JobState& job = instance.snapshot.jobs[place_of(network.job)];
    PredictedTimes times = network_times(network.network, instance.snapshot.types, catalog);
    job.options.insert(job.options.end(), times.options.begin(), times.options.end());
    if (times.bounded_below.empty()) continue;
    answer.notes.push_back("of job '" + job.id + "' on " + join(times.bounded_below, ", ") +
                           " only the least time is known: it may take four times as long");
  }
  if (!instance.networks.empty())
    answer.notes.emplace_back("times of networks are predicted, as predict does");
}

void refuse_absurd(const capacity::Instance& instance, const std::string& file) {
  const Snapshot& snapshot = instance.snapshot;
  refuse_absurd_prices(snapshot.types, {file});
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    const capacity::JobState& job = snapshot.jobs[j];
    refuse_absurd_times({job.id, job.tardiness, job.options}, instance.jobs_at[j]);
  }
}

void apply_wishes(const CapacityQuestion& question, capacity::Wishes& wishes) {
  if (question.risk) {
    if (*question.risk <= 0 || *question.risk > 0.5) {
      throw InputError(at_field("risk"), "`risk` must be above 0 and at most 0.5");
    }
    wishes.risk = *question.risk;
  }
  if (question.budget) wishes.budget = parse_dollar_rate(*question.budget, at_field("budget"));
  if (!question.cost) return;
  if (*question.cost == "makespan") wishes.cost = capacity::NodeCost::makespan;
  if (*question.cost == "first-end") wishes.cost = capacity::NodeCost::first_end;
  if (*question.cost == "period") wishes.cost = capacity::NodeCost::period;
}

// Shares of what the nodes cost, by GPUs in use.
std::vector<double> node_usd(const Snapshot& snapshot, const capacity::Decision& decision) {
  std::vector<double> usd;
  for (std::size_t n = 0; n < decision.nodes.size(); ++n) {
    capacity::Decision alone = decision;
    std::erase_if(alone.run, [&](const Assignment& a) {
      return std::ranges::none_of(a.shares, [&](const capacity::Share& s) { return place_of(s.node) == n; });
    });
    for (std::size_t other = 0; other < alone.nodes.size(); ++other) {
      if (other != n) alone.nodes[other] = kNone;
    }
    usd.push_back(decision.nodes[n] == kNone ? 0 : cost_of(snapshot, alone).nodes.value);
  }
  return usd;
}

// As the model prices it: what is to be expected, or what it is at the quantile of the risk.
Dollars tardiness_cost(const Snapshot& snapshot, const Assignment& assignment,
                       const std::vector<std::int32_t>& nodes) {
  const Snapshot alone{.now = snapshot.now,
                       .types = snapshot.types,
                       .nodes = snapshot.nodes,
                       .jobs = {snapshot.jobs[place_of(assignment.job)]},
                       .wishes = snapshot.wishes};
  capacity::Decision decision{.nodes = nodes, .run = {assignment}};
  decision.run.front().job = 0;
  return cost_of(alone, decision).tardiness;
}

std::vector<PlannedJob> planned_jobs(const Snapshot& snapshot, const capacity::Decision& decision) {
  const std::vector<double> usd = node_usd(snapshot, decision);
  std::vector<std::int32_t> used(decision.nodes.size(), 0);
  for (const Assignment& a : decision.run) {
    for (const capacity::Share& share : a.shares) used[place_of(share.node)] += share.gpus;
  }
  const double z = stats::quantile(stats::Normal{}, 1 - snapshot.wishes.risk);
  std::vector<PlannedJob> all;
  for (const Assignment& a : decision.run) {
    const capacity::JobState& job = snapshot.jobs[place_of(a.job)];
    const capacity::JobOption& option = job.options[place_of(a.option)];
    PlannedJob planned{.job = job.id,
                       .machine = snapshot.types[place_of(option.type)].name,
                       .gpus = option.gpus,
                       .start = snapshot.now,
                       .end = snapshot.now + option.time,
                       .due = job.due};
    const Seconds late = snapshot.now + option.time * std::exp(z * option.spread);
    if (late > planned.end) planned.late_end = late;
    planned.tardiness = std::max(Seconds{}, late - job.due);
    planned.cost = tardiness_cost(snapshot, a, decision.nodes);
    for (const capacity::Share& share : a.shares) {
      planned.nodes.push_back(share.node);
      planned.node_gpus.push_back(share.gpus);
      planned.cost += Dollars{usd[place_of(share.node)] * share.gpus / used[place_of(share.node)]};
    }
    all.push_back(std::move(planned));
  }
  std::ranges::stable_sort(all, {}, [](const PlannedJob& job) { return job.nodes.front(); });
  return all;
}

std::vector<PostponedJob> postponed_jobs(const Snapshot& snapshot, const capacity::Decision& decision,
                                         const MethodMaker* explain) {
  std::vector<PostponedJob> all;
  for (std::int32_t job = 0; place_of(job) < snapshot.jobs.size(); ++job) {
    if (std::ranges::any_of(decision.run, [&](const Assignment& a) { return a.job == job; })) continue;
    PostponedJob waits{.job = snapshot.jobs[place_of(job)].id,
                       .cost = waiting_cost(snapshot, job),
                       .refused = std::ranges::count(decision.refused, job) > 0};
    if (explain != nullptr) {
      WaitingReason why = waiting_reason(snapshot, decision, *explain, job);
      waits.reason = std::move(why.reason);
      waits.remedy = std::move(why.remedy);
    }
    all.push_back(std::move(waits));
  }
  return all;
}

MethodPlan plan_by(const CapacityQuestion& question, const capacity::MethodChoice& choice,
                   const Snapshot& snapshot) {
  const MethodMaker make = [&] {
    return choice.method->make({.parameters = choice.parameters, .seed = question.seed});
  };
  const auto start = std::chrono::steady_clock::now();
  const capacity::Decision decision = make()->decide(snapshot);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  MethodPlan plan{.method = choice.text, .cost = cost_of(snapshot, decision), .solve = Seconds{took.count()}};
  plan.bound = Dollars{decision.bound.value_or(0)};
  plan.jobs = planned_jobs(snapshot, decision);
  for (const std::int32_t type : decision.nodes)
    plan.node_gpus.push_back(type == kNone ? 0 : snapshot.types[place_of(type)].gpus);
  plan.postponed = postponed_jobs(snapshot, decision, question.explain ? &make : nullptr);
  return plan;
}

// What one method proves holds for the plans of all.
void set_gaps(const Snapshot& snapshot, std::vector<MethodPlan>& plans) {
  Dollars bound = bound_of(snapshot);
  for (const MethodPlan& plan : plans) bound = std::max(bound, plan.bound);
  for (MethodPlan& plan : plans) {
    const double total = plan.cost.total().value;
    plan.bound = bound;
    plan.gap = total <= 0 ? 0 : std::max(0.0, 1 - bound.value / total);
  }
}

// Who loses nothing by waiting may never run: hardly what was meant where there is a due date.
void note_free_lateness(const Snapshot& snapshot, CapacityAnswer& answer) {
  for (const capacity::JobState& job : snapshot.jobs) {
    if (!std::isfinite(job.due.value) || job.tardiness > DollarRate{}) continue;
    answer.notes.push_back("job '" + job.id +
                           "' has a due date and no `tardiness`: being late costs nothing, so it may wait "
                           "for ever");
  }
}

}  // namespace

CapacityAnswer plan_capacity(const CapacityQuestion& question, const catalog::Catalog& catalog) {
  std::vector<capacity::MethodChoice> choices;
  for (const std::string& text : question.methods) {
    choices.push_back(capacity::parse_method(text, at_field("method")));
  }
  capacity::Instance instance = capacity::read_instance(question.instance, catalog);
  apply_wishes(question, instance.snapshot.wishes);
  CapacityAnswer answer{.name = instance.name};
  predict_times(instance, catalog, answer);
  settle_options(instance);
  refuse_absurd(instance, question.instance);
  const Snapshot& snapshot = instance.snapshot;
  answer.nodes = std::ssize(snapshot.nodes);
  answer.jobs = std::ssize(snapshot.jobs);
  note_free_lateness(snapshot, answer);
  for (const capacity::MethodChoice& choice : choices)
    answer.plans.push_back(plan_by(question, choice, snapshot));
  std::ranges::stable_sort(answer.plans, {}, [](const MethodPlan& plan) { return plan.cost.total(); });
  set_gaps(snapshot, answer.plans);
  if (std::ranges::all_of(answer.plans, [](const MethodPlan& plan) { return plan.jobs.empty(); })) {
    answer.tightest = tightest_constraint(snapshot);
  }
  return answer;
}

}  // namespace sextant::ask
