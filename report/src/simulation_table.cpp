#include <algorithm>
#include <cmath>

#include "sextant/core/stats/summary.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/simulation_report.h"
#include "sextant/simulate/compare.h"
#include "simulation_runs.h"

namespace sextant {
namespace {

constexpr double kShownAsZero = 1e-6;  // s; below it, a wait is the rounding of the clock

// Runs that differ in their seed only.
using SeedRuns = std::vector<const SweepRun*>;
using Measure = double (*)(const SweepRun&);

std::vector<double> values_of(const SeedRuns& runs, Measure measure) {
  std::vector<double> values;
  for (const SweepRun* run : runs) values.push_back(measure(*run));
  return values;
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

// Mean over the seeds; nothing where a run has no value.
Cell mean_cell(const SeedRuns& runs, Measure measure) {
  const std::vector<double> values = values_of(runs, measure);
  return all_finite(values) ? digits_cell(mean(values)) : Cell();
}

Cell time_cell(const SeedRuns& runs, Measure measure) {
  const std::vector<double> values = values_of(runs, measure);
  if (!all_finite(values)) return {};
  const double average = mean(values);
  Cell cell(Seconds{average});
  if (average < kShownAsZero) cell.shown = Cell(Seconds{0}).shown;
  if (values.size() > 1) cell.shown += " ± " + human(Seconds{estimate_mean(values).half_width});
  return cell;
}

Cell share_cell(const SeedRuns& runs, Measure measure) {
  const std::vector<double> values = values_of(runs, measure);
  return all_finite(values) ? percent_cell(mean(values)) : Cell();
}

Cell count_cell(const SeedRuns& runs, Measure measure) {
  const std::vector<double> values = values_of(runs, measure);
  const double average = mean(values);
  if (average == std::floor(average)) return {static_cast<std::int64_t>(average)};
  return digits_cell(average);
}

Cell cost_cell(const SeedRuns& runs) {
  const std::vector<double> values = values_of(runs, [](const SweepRun& r) { return r.metrics.cost_usd; });
  return all_finite(values) ? Cell(Dollars{mean(values)}) : Cell();
}

double mean_jct(const SweepRun& run) {
  return run.metrics.mean_jct_s;
}

void add_columns(Table& table, const SweepPlan& plan, bool deadlines) {
  table.columns = {{"policy", "policy"}};
  if (plan.clusters.size() > 1) table.columns.push_back({"cluster", "cluster"});
  if (plan.loads.size() > 1) table.columns.push_back({"load", "load"});
  const std::vector<Column> rest = {
      {"jobs", "jobs"},        {"completed", "done"},     {"mean_jct_s", "mean JCT"},
      {"p50_jct_s", "p50"},    {"p99_jct_s", "p99"},      {"makespan_s", "makespan"},
      {"mean_wait_s", "wait"}, {"utilization", "in use"}, {"goodput", "productive"},
      {"jain", "Jain"},        {"ftf_max", "FTF max"},    {"restarts", "restarts"},
      {"cost_usd", "cost"},    {"energy_kwh", "kWh"}};
  table.columns.insert(table.columns.end(), rest.begin(), rest.end());
  if (deadlines) table.columns.push_back({"deadline_misses", "late"});
}

std::vector<Cell> row_of(const SweepPlan& plan, const SeedRuns& runs, bool deadlines) {
  const SweepRun& first = *runs.front();
  std::vector<Cell> row = {policy_name(plan, first)};
  if (plan.clusters.size() > 1) row.emplace_back(plan.clusters[first.cluster].name);
  if (plan.loads.size() > 1) row.emplace_back(plan.loads[first.load]);
  const std::vector<Cell> rest = {
      count_cell(runs, [](const SweepRun& r) { return static_cast<double>(all_jobs(r)); }),
      count_cell(runs, [](const SweepRun& r) { return static_cast<double>(r.metrics.completed); }),
      time_cell(runs, mean_jct),
      time_cell(runs, [](const SweepRun& r) { return r.metrics.p50_jct_s; }),
      time_cell(runs, [](const SweepRun& r) { return r.metrics.p99_jct_s; }),
      time_cell(runs, [](const SweepRun& r) { return r.metrics.makespan_s; }),
      time_cell(runs, [](const SweepRun& r) { return r.metrics.mean_wait_s; }),
      share_cell(runs, [](const SweepRun& r) { return r.metrics.utilization; }),
      share_cell(runs, [](const SweepRun& r) { return r.metrics.goodput; }),
      mean_cell(runs, [](const SweepRun& r) { return r.metrics.jain; }),
      mean_cell(runs, [](const SweepRun& r) { return r.metrics.ftf_max; }),
      count_cell(runs, [](const SweepRun& r) { return static_cast<double>(r.metrics.restarts); }),
      cost_cell(runs),
      mean_cell(runs, [](const SweepRun& r) { return r.metrics.energy_kwh; })};
  row.insert(row.end(), rest.begin(), rest.end());
  if (deadlines) {
    row.push_back(
        count_cell(runs, [](const SweepRun& r) { return static_cast<double>(r.metrics.deadline_misses); }));
  }
  return row;
}

std::string comparison_text(const PolicyComparison& c) {
  const double change = c.first_mean / c.second_mean - 1;
  const std::string how = c.verdict == ComparisonVerdict::first_less
                              ? "shorter"
                              : (c.verdict == ComparisonVerdict::second_less ? "longer" : "undecided");
  return c.first + " against " + c.second + ": mean JCT " + percent_cell(change).shown + ", " + how +
         " (paired over seeds, p " + digits_cell(c.p_adjusted).shown + " after Holm)";
}

// Tails are skewed: their difference is bootstrapped over the seeds.
std::string tail_text(const SeedRuns& runs, const SeedRuns& baseline) {
  const auto p99 = [](const SweepRun& r) { return r.metrics.p99_jct_s; };
  const std::vector<double> first = values_of(runs, p99);
  const std::vector<double> second = values_of(baseline, p99);
  if (!all_finite(first) || !all_finite(second) || first.size() != second.size()) return "";
  const DifferenceEstimate d = bootstrap_difference(first, second, Rng(0).stream("p99"));
  const auto signed_time = [](double s) { return (s < 0 ? "-" : "+") + human(Seconds{std::abs(s)}); };
  return "; p99 " + signed_time(d.value) + " (" + signed_time(d.interval.low) + " to " +
         signed_time(d.interval.high) + ")";
}

// Policies of one cluster and load, in pairs with the first of them.
void add_comparisons(Table& table, const SweepPlan& plan, const std::vector<SeedRuns>& groups) {
  std::vector<PolicyRuns> measured;
  std::vector<const SeedRuns*> tails;
  for (const SeedRuns& runs : groups) {
    std::vector<double> values = values_of(runs, mean_jct);
    if (!all_finite(values)) continue;
    measured.push_back({policy_name(plan, *runs.front()), std::move(values)});
    tails.push_back(&runs);
  }
  if (measured.size() < 2 || measured.front().by_seed.size() < 2) return;
  std::string where =
      plan.clusters.size() > 1 ? plan.clusters[groups.front().front()->cluster].name + ": " : "";
  if (plan.loads.size() > 1) where += "load " + number_text(plan.loads[groups.front().front()->load]) + ": ";
  const auto pairs = compare_policies(measured, {.baseline = measured.front().policy});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    table.notes.push_back(where + comparison_text(pairs[i]) + tail_text(*tails[i + 1], *tails.front()));
  }
}

}  // namespace

Table simulation_table(const SweepPlan& plan, const std::vector<SweepRun>& runs) {
  Table table;
  const bool deadlines = std::ranges::any_of(runs, [](const SweepRun& r) { return r.metrics.deadlines > 0; });
  add_columns(table, plan, deadlines);
  for (std::size_t cluster = 0; cluster < plan.clusters.size(); ++cluster) {
    for (std::size_t load = 0; load < plan.loads.size(); ++load) {
      std::vector<SeedRuns> groups(plan.policies.size());
      for (const SweepRun& run : runs) {
        if (run.done && run.cluster == cluster && run.load == load) groups[run.policy].push_back(&run);
      }
      std::erase_if(groups, [](const SeedRuns& group) { return group.empty(); });
      for (const SeedRuns& group : groups) table.rows.push_back(row_of(plan, group, deadlines));
      if (plan.seeds > 1 && !groups.empty()) add_comparisons(table, plan, groups);
    }
  }
  if (plan.seeds > 1) {
    table.notes.insert(table.notes.begin(),
                       "means over " + std::to_string(plan.seeds) +
                           " seeds; ±: half of the 95 % interval of the mean; p99: difference with its "
                           "95 % interval by bootstrap");
  }
  return table;
}

}  // namespace sextant
