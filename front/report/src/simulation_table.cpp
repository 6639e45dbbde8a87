#include <cmath>

#include "sextant/core/unit_text.h"
#include "sextant/report/simulation_report.h"

namespace sextant::report {
namespace {

constexpr double kShownAsZero = 1e-6;  // s; below it, a wait is the rounding of the clock

// Nothing where a run has no value.
Cell mean_cell(double mean) {
  return std::isfinite(mean) ? digits_cell(mean) : Cell();
}

Cell time_cell(const ask::SeedMean& time) {
  if (!std::isfinite(time.mean)) return {};
  Cell cell(Seconds{time.mean});
  if (time.mean < kShownAsZero) cell.shown = Cell(Seconds{0}).shown;
  if (time.half_width) cell.shown += " ± " + human(Seconds{*time.half_width});
  return cell;
}

Cell mean_share_cell(double mean) {
  return std::isfinite(mean) ? percent_cell(mean) : Cell();
}

Cell count_cell(double mean) {
  if (mean == std::floor(mean)) return {static_cast<std::int64_t>(mean)};
  return digits_cell(mean);
}

Cell cost_cell(double mean) {
  return std::isfinite(mean) ? Cell(Dollars{mean}) : Cell();
}

void add_columns(Table& table, const simulate::SweepPlan& plan, bool deadlines) {
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

std::vector<Cell> row_of(const simulate::SweepPlan& plan, const ask::PolicySummary& s, bool deadlines) {
  std::vector<Cell> row = {to_string(plan.policies[s.policy])};
  if (plan.clusters.size() > 1) row.emplace_back(plan.clusters[s.cluster].name);
  if (plan.loads.size() > 1) row.emplace_back(plan.loads[s.load]);
  const std::vector<Cell> rest = {
      count_cell(s.jobs),       count_cell(s.completed),        time_cell(s.mean_jct_s),
      time_cell(s.p50_jct_s),   time_cell(s.p99_jct_s),         time_cell(s.makespan_s),
      time_cell(s.mean_wait_s), mean_share_cell(s.utilization), mean_share_cell(s.goodput),
      mean_cell(s.jain),        mean_cell(s.ftf_max),           count_cell(s.restarts),
      cost_cell(s.cost_usd),    mean_cell(s.energy_kwh)};
  row.insert(row.end(), rest.begin(), rest.end());
  if (deadlines) row.push_back(count_cell(s.deadline_misses));
  return row;
}

std::string comparison_text(const simulate::PolicyComparison& c) {
  const double change = c.first_mean / c.second_mean - 1;
  const std::string how =
      c.verdict == simulate::ComparisonVerdict::first_less
          ? "shorter"
          : (c.verdict == simulate::ComparisonVerdict::second_less ? "longer" : "undecided");
  return c.first + " against " + c.second + ": mean JCT " + percent_cell(change).shown + ", " + how +
         " (paired over seeds, p " + digits_cell(c.p_adjusted).shown + " after Holm)";
}

std::string tail_text(const simulate::DifferenceEstimate& d) {
  const auto signed_time = [](double s) { return (s < 0 ? "-" : "+") + human(Seconds{std::abs(s)}); };
  return "; p99 " + signed_time(d.value) + " (" + signed_time(d.interval.low) + " to " +
         signed_time(d.interval.high) + ")";
}

std::string contrast_text(const simulate::SweepPlan& plan, const ask::PolicyContrast& contrast) {
  std::string where = plan.clusters.size() > 1 ? plan.clusters[contrast.cluster].name + ": " : "";
  if (plan.loads.size() > 1) where += "load " + number_text(plan.loads[contrast.load]) + ": ";
  return where + comparison_text(contrast.mean_jct_s) +
         (contrast.p99_jct_s ? tail_text(*contrast.p99_jct_s) : "");
}

}  // namespace

Table simulation_table(const simulate::SweepPlan& plan, const ask::SimulationSummary& summary) {
  Table table;
  add_columns(table, plan, summary.deadlines);
  for (const ask::PolicySummary& policy : summary.policies) {
    table.rows.push_back(row_of(plan, policy, summary.deadlines));
  }
  if (plan.seeds > 1) {
    table.notes.push_back("means over " + std::to_string(plan.seeds) +
                          " seeds; ±: half of the 95 % interval of the mean; p99: difference with its "
                          "95 % interval by bootstrap");
  }
  for (const ask::PolicyContrast& contrast : summary.contrasts) {
    table.notes.push_back(contrast_text(plan, contrast));
  }
  return table;
}

}  // namespace sextant::report
