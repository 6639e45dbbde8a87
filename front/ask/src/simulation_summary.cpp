#include "sextant/ask/simulation_summary.h"

#include <algorithm>

#include "seed_runs.h"
#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

constexpr std::size_t kFewestSeeds = 2;  // that an interval is shown of

PolicySummary policy_summary(const SeedRuns& runs) {
  using Run = const simulate::SweepRun&;
  const simulate::SweepRun& first = *runs.front();
  const OverSeeds over(runs, kFewestSeeds);
  return {.cluster = first.cluster,
          .load = first.load,
          .policy = first.policy,
          .jobs = over.mean([](Run r) { return all_jobs(r); }),
          .completed = over.mean([](Run r) { return r.metrics.completed; }),
          .mean_jct_s = over.interval(mean_jct),
          .p50_jct_s = over.interval([](Run r) { return r.metrics.p50_jct.value; }),
          .p99_jct_s = over.interval(p99_jct),
          .makespan_s = over.interval([](Run r) { return r.metrics.makespan.value; }),
          .mean_wait_s = over.interval([](Run r) { return r.metrics.mean_wait.value; }),
          .utilization = over.mean([](Run r) { return r.metrics.utilization; }),
          .goodput = over.mean([](Run r) { return r.metrics.goodput; }),
          .jain = over.mean([](Run r) { return r.metrics.jain; }),
          .ftf_max = over.mean([](Run r) { return r.metrics.ftf_max; }),
          .restarts = over.mean([](Run r) { return r.metrics.restarts; }),
          .cost_usd = over.mean([](Run r) { return r.metrics.cost.value; }),
          .energy_kwh = over.mean([](Run r) { return r.metrics.energy_kwh; }),
          .deadline_misses = over.mean([](Run r) { return r.metrics.deadline_misses; })};
}

std::optional<simulate::DifferenceEstimate> tail_difference(const SeedRuns& runs, const SeedRuns& baseline) {
  const std::vector<double> first = seed_values(runs, p99_jct);
  const std::vector<double> second = seed_values(baseline, p99_jct);
  if (!all_finite(first) || !all_finite(second) || first.size() != second.size()) return std::nullopt;
  return simulate::bootstrap_difference(first, second, Rng(0).stream("p99"));
}

// Policies of one cluster and load, in pairs with the first of them.
void add_contrasts(const simulate::SweepPlan& plan, const std::vector<SeedRuns>& all,
                   std::vector<PolicyContrast>& contrasts) {
  const std::vector<SeedRuns> groups = with_common_seeds(all);
  std::vector<simulate::PolicyRuns> measured;
  std::vector<const SeedRuns*> tails;
  for (const SeedRuns& runs : groups) {
    std::vector<double> values = seed_values(runs, mean_jct);
    if (values.empty() || !all_finite(values)) continue;
    measured.push_back({policy_name(plan, *runs.front()), std::move(values)});
    tails.push_back(&runs);
  }
  if (measured.size() < 2 || measured.front().by_seed.size() < 2) return;
  const auto pairs = compare_policies(measured, {.baseline = measured.front().policy});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    contrasts.push_back({.cluster = all.front().front()->cluster,
                         .load = all.front().front()->load,
                         .mean_jct_s = pairs[i],
                         .p99_jct_s = tail_difference(*tails[i + 1], *tails.front())});
  }
}

}  // namespace

std::string policy_name(const simulate::SweepPlan& plan, const simulate::SweepRun& run) {
  return to_string(plan.policies[run.policy]);
}

std::int64_t all_jobs(const simulate::SweepRun& run) {
  return run.metrics.jobs + static_cast<std::int64_t>(run.refused.size());
}

std::string run_name(const simulate::SweepPlan& plan, const simulate::SweepRun& run) {
  std::string name = policy_name(plan, run);
  if (plan.clusters.size() > 1) name += ", " + plan.clusters[run.cluster].name;
  if (plan.loads.size() > 1) name += ", load " + number_text(plan.loads[run.load]);
  if (plan.seeds > 1) name += ", seed " + std::to_string(run.seed);
  return name;
}

std::vector<std::vector<SeedRuns>> runs_by_policy(const simulate::SweepPlan& plan,
                                                  const std::vector<simulate::SweepRun>& runs) {
  std::vector<std::vector<SeedRuns>> all;
  for (std::size_t cluster = 0; cluster < plan.clusters.size(); ++cluster) {
    for (std::size_t load = 0; load < plan.loads.size(); ++load) {
      std::vector<SeedRuns> policies(plan.policies.size());
      for (const simulate::SweepRun& run : runs) {
        if (run.done && run.cluster == cluster && run.load == load) policies[run.policy].push_back(&run);
      }
      std::erase_if(policies, [](const SeedRuns& each) { return each.empty(); });
      if (!policies.empty()) all.push_back(std::move(policies));
    }
  }
  return all;
}

SimulationSummary over_seeds(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs) {
  SimulationSummary summary;
  summary.deadlines =
      std::ranges::any_of(runs, [](const simulate::SweepRun& r) { return r.metrics.deadlines > 0; });
  for (const std::vector<SeedRuns>& policies : runs_by_policy(plan, runs)) {
    for (const SeedRuns& each : policies) summary.policies.push_back(policy_summary(each));
    if (plan.seeds > 1) add_contrasts(plan, policies, summary.contrasts);
  }
  return summary;
}

}  // namespace sextant::ask
