#include "sextant/ask/simulation_summary.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/infinity.h"
#include "sextant/core/text.h"
#include "sextant/stats/summary.h"

namespace sextant::ask {
namespace {

// Runs that differ in their seed only.
using SeedRuns = std::vector<const simulate::SweepRun*>;
using Measure = double (*)(const simulate::SweepRun&);

std::vector<double> seed_values(const SeedRuns& runs, Measure measure) {
  std::vector<double> values;
  for (const simulate::SweepRun* run : runs) values.push_back(measure(*run));
  return values;
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

// Not a number where a run has no value.
double mean_of(const std::vector<double>& values) {
  return all_finite(values) ? stats::mean(values) : kNan;
}

double mean_of(const SeedRuns& runs, Measure measure) {
  return mean_of(seed_values(runs, measure));
}

SeedMean seed_mean(const SeedRuns& runs, Measure measure) {
  const std::vector<double> values = seed_values(runs, measure);
  SeedMean result{.mean = mean_of(values)};
  if (values.size() > 1 && all_finite(values)) {
    result.half_width = simulate::estimate_mean(values).half_width;
  }
  return result;
}

double mean_jct(const simulate::SweepRun& run) {
  return run.metrics.mean_jct.value;
}
double p99_jct(const simulate::SweepRun& run) {
  return run.metrics.p99_jct.value;
}

PolicySummary policy_summary(const SeedRuns& runs) {
  using Run = const simulate::SweepRun&;
  const simulate::SweepRun& first = *runs.front();
  return {
      .cluster = first.cluster,
      .load = first.load,
      .policy = first.policy,
      .jobs = mean_of(runs, [](Run r) { return static_cast<double>(all_jobs(r)); }),
      .completed = mean_of(runs, [](Run r) { return static_cast<double>(r.metrics.completed); }),
      .mean_jct_s = seed_mean(runs, mean_jct),
      .p50_jct_s = seed_mean(runs, [](Run r) { return r.metrics.p50_jct.value; }),
      .p99_jct_s = seed_mean(runs, p99_jct),
      .makespan_s = seed_mean(runs, [](Run r) { return r.metrics.makespan.value; }),
      .mean_wait_s = seed_mean(runs, [](Run r) { return r.metrics.mean_wait.value; }),
      .utilization = mean_of(runs, [](Run r) { return r.metrics.utilization; }),
      .goodput = mean_of(runs, [](Run r) { return r.metrics.goodput; }),
      .jain = mean_of(runs, [](Run r) { return r.metrics.jain; }),
      .ftf_max = mean_of(runs, [](Run r) { return r.metrics.ftf_max; }),
      .restarts = mean_of(runs, [](Run r) { return static_cast<double>(r.metrics.restarts); }),
      .cost_usd = mean_of(runs, [](Run r) { return r.metrics.cost.value; }),
      .energy_kwh = mean_of(runs, [](Run r) { return r.metrics.energy_kwh; }),
      .deadline_misses = mean_of(runs, [](Run r) { return static_cast<double>(r.metrics.deadline_misses); })};
}

std::optional<simulate::DifferenceEstimate> tail_difference(const SeedRuns& runs, const SeedRuns& baseline) {
  const std::vector<double> first = seed_values(runs, p99_jct);
  const std::vector<double> second = seed_values(baseline, p99_jct);
  if (!all_finite(first) || !all_finite(second) || first.size() != second.size()) return std::nullopt;
  return simulate::bootstrap_difference(first, second, Rng(0).stream("p99"));
}

// Policies of one cluster and load, in pairs with the first of them.
void add_contrasts(const simulate::SweepPlan& plan, const std::vector<SeedRuns>& groups,
                   std::vector<PolicyContrast>& contrasts) {
  std::vector<simulate::PolicyRuns> measured;
  std::vector<const SeedRuns*> tails;
  for (const SeedRuns& runs : groups) {
    std::vector<double> values = seed_values(runs, mean_jct);
    if (!all_finite(values)) continue;
    measured.push_back({policy_name(plan, *runs.front()), std::move(values)});
    tails.push_back(&runs);
  }
  if (measured.size() < 2 || measured.front().by_seed.size() < 2) return;
  const auto pairs = compare_policies(measured, {.baseline = measured.front().policy});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    contrasts.push_back({.cluster = groups.front().front()->cluster,
                         .load = groups.front().front()->load,
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

SimulationSummary over_seeds(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs) {
  SimulationSummary summary;
  summary.deadlines =
      std::ranges::any_of(runs, [](const simulate::SweepRun& r) { return r.metrics.deadlines > 0; });
  for (std::size_t cluster = 0; cluster < plan.clusters.size(); ++cluster) {
    for (std::size_t load = 0; load < plan.loads.size(); ++load) {
      std::vector<SeedRuns> groups(plan.policies.size());
      for (const simulate::SweepRun& run : runs) {
        if (run.done && run.cluster == cluster && run.load == load) groups[run.policy].push_back(&run);
      }
      std::erase_if(groups, [](const SeedRuns& group) { return group.empty(); });
      for (const SeedRuns& group : groups) summary.policies.push_back(policy_summary(group));
      if (plan.seeds > 1 && !groups.empty()) add_contrasts(plan, groups, summary.contrasts);
    }
  }
  return summary;
}

}  // namespace sextant::ask
