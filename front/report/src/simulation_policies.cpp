#include "simulation_policies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "sextant/core/infinity.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/fields.h"

namespace sextant::report {
namespace {

using ask::PolicyContrast;
using ask::PolicySummary;
using ask::SeedMean;
using simulate::SweepPlan;
using enum Importance;

constexpr double kShownAsZero = 1e-6;  // s; below it, a wait is the rounding of the clock

struct PolicyRow {
  const SweepPlan& plan;
  const PolicySummary& summary;
  bool deadlines = false;  // some job has one
  bool recorded = false;   // what the trace says, in a cluster and by a policy that nobody states
};

// Of the trace, in the fields that it knows; the others have no value.
PolicySummary recorded_summary(const SweepPlan& plan, const ask::RecordedTimes& times) {
  const auto load = std::ranges::find(plan.loads, 1.0) - plan.loads.begin();
  PolicySummary row{.load = static_cast<std::size_t>(load),
                    .jobs = static_cast<double>(times.jobs),
                    .completed = static_cast<double>(times.jobs),
                    .mean_jct_s = {.mean = times.mean_jct_s},
                    .p50_jct_s = {.mean = times.p50_jct_s},
                    .p99_jct_s = {.mean = times.p99_jct_s},
                    .makespan_s = {.mean = times.makespan_s},
                    .mean_wait_s = {.mean = times.mean_wait_s}};
  for (double PolicySummary::*member :
       {&PolicySummary::utilization, &PolicySummary::goodput, &PolicySummary::jain, &PolicySummary::ftf_max,
        &PolicySummary::restarts, &PolicySummary::cost_usd, &PolicySummary::energy_kwh,
        &PolicySummary::deadline_misses}) {
    row.*member = kNan;
  }
  return row;
}

Cell policy_cell(const PolicyRow& row) {
  return row.recorded ? Cell("recorded") : Cell(to_string(row.plan.policies[row.summary.policy]));
}

// What the policy knew of the run times of jobs.
Cell knowledge_cell(const PolicyRow& row) {
  if (row.recorded) return {};
  if (!sees_run_times(row.plan.policies[row.summary.policy])) return "none";
  return row.plan.plan_by_limits ? "limits" : "exact";
}

struct ContrastRow {
  const SweepPlan& plan;
  const PolicyContrast& contrast;
};

// Three digits are more than a run is worth; nothing where it has no value.
Cell mean_cell(double mean) {
  if (!std::isfinite(mean)) return {};
  Cell cell(mean);
  const int places =
      mean == 0 ? 0 : std::clamp(2 - static_cast<int>(std::floor(std::log10(std::abs(mean)))), 0, 6);
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*f", places, mean);
  cell.shown = text.data();
  return cell;
}

Cell mean_time_cell(const SeedMean& time) {
  if (!std::isfinite(time.mean)) return {};
  Cell cell(Seconds{time.mean});
  if (time.mean < kShownAsZero) cell.shown = Cell(Seconds{0}).shown;
  if (time.half_width) cell.shown += " ± " + human(Seconds{*time.half_width});
  return cell;
}

Cell mean_share_cell(double mean) {
  return std::isfinite(mean) ? percent_cell(mean) : Cell();
}

Cell mean_count_cell(double mean) {
  if (mean == std::floor(mean)) return {static_cast<std::int64_t>(mean)};
  return mean_cell(mean);
}

Cell mean_cost_cell(double mean) {
  return std::isfinite(mean) ? Cell(Dollars{mean}) : Cell();
}

// What is the same in all rows needs no place on a screen.
Cell shown_if(bool worth_it, Cell cell) {
  if (!worth_it) cell.shown.clear();
  return cell;
}

template <class Row>
Cell cluster_cell(const Row& row, std::size_t cluster) {
  return shown_if(row.plan.clusters.size() > 1, row.plan.clusters[cluster].name);
}

template <class Row>
Cell load_cell(const Row& row, std::size_t load) {
  return shown_if(row.plan.loads.size() > 1, row.plan.loads[load]);
}

Field<PolicyRow> time_field(std::string key, std::string title, SeedMean PolicySummary::*member) {
  return {std::move(key), std::move(title),
          [member](const PolicyRow& r) { return mean_time_cell(r.summary.*member); },
          member == &PolicySummary::mean_jct_s || member == &PolicySummary::makespan_s ? essential : usual};
}

// Half of the 95 % interval of a mean over seeds.
Field<PolicyRow> width_field(std::string key, SeedMean PolicySummary::*member) {
  return {std::move(key), "", [member](const PolicyRow& r) { return Cell((r.summary.*member).half_width); },
          detail};
}

Fields<PolicyRow> policy_fields() {
  using S = PolicySummary;
  using R = const PolicyRow&;
  return {
      {"policy", "policy", policy_cell, identity},
      {"cluster", "cluster", [](R r) { return r.recorded ? Cell() : cluster_cell(r, r.summary.cluster); },
       identity},
      {"load", "load", [](R r) { return load_cell(r, r.summary.load); }, identity},
      {"jobs", "jobs", [](R r) { return mean_count_cell(r.summary.jobs); }},
      {"completed", "done", [](R r) { return mean_count_cell(r.summary.completed); }},
      time_field("mean_jct_s", "mean JCT", &S::mean_jct_s),
      time_field("p50_jct_s", "p50", &S::p50_jct_s),
      time_field("p99_jct_s", "p99", &S::p99_jct_s),
      time_field("makespan_s", "makespan", &S::makespan_s),
      time_field("mean_wait_s", "wait", &S::mean_wait_s),
      {"utilization", "in use", [](R r) { return mean_share_cell(r.summary.utilization); }},
      {"goodput", "productive", [](R r) { return mean_share_cell(r.summary.goodput); }},
      {"jain", "Jain", [](R r) { return mean_cell(r.summary.jain); }},
      {"ftf_max", "FTF max", [](R r) { return mean_cell(r.summary.ftf_max); }},
      {"restarts", "restarts", [](R r) { return mean_count_cell(r.summary.restarts); }},
      {"cost_usd", "cost", [](R r) { return mean_cost_cell(r.summary.cost_usd); }, essential},
      {"energy_kwh", "kWh", [](R r) { return mean_cell(r.summary.energy_kwh); }},
      {"deadline_misses", "late",
       [](R r) { return shown_if(r.deadlines, mean_count_cell(r.summary.deadline_misses)); }},
      {"run_times", "", knowledge_cell, detail},
      width_field("mean_jct_half_width_s", &S::mean_jct_s),
      width_field("p50_jct_half_width_s", &S::p50_jct_s),
      width_field("p99_jct_half_width_s", &S::p99_jct_s),
      width_field("makespan_half_width_s", &S::makespan_s),
      width_field("mean_wait_half_width_s", &S::mean_wait_s),
  };
}

const char* verdict_text(simulate::ComparisonVerdict verdict) {
  switch (verdict) {
    case simulate::ComparisonVerdict::first_less:
      return "shorter";
    case simulate::ComparisonVerdict::second_less:
      return "longer";
    default:
      return "undecided";
  }
}

double relative_change(const simulate::PolicyComparison& c) {
  return c.first_mean / c.second_mean - 1;
}

template <class Get>
Cell tail_cell(const PolicyContrast& contrast, const Get& get) {
  return contrast.p99_jct_s ? Cell(get(*contrast.p99_jct_s)) : Cell();
}

Fields<ContrastRow> contrast_fields() {
  using R = const ContrastRow&;
  using Tail = simulate::DifferenceEstimate;
  return {
      {"policy", "policy", [](R r) { return Cell(r.contrast.mean_jct_s.first); }, identity},
      {"against", "against", [](R r) { return Cell(r.contrast.mean_jct_s.second); }, identity},
      {"cluster", "cluster", [](R r) { return cluster_cell(r, r.contrast.cluster); }, identity},
      {"load", "load", [](R r) { return load_cell(r, r.contrast.load); }, identity},
      {"mean_jct_change", "mean JCT",
       [](R r) { return mean_share_cell(relative_change(r.contrast.mean_jct_s)); }, essential},
      {"verdict", "verdict", [](R r) { return Cell(verdict_text(r.contrast.mean_jct_s.verdict)); },
       essential},
      {"p_adjusted", "p", [](R r) { return mean_cell(r.contrast.mean_jct_s.p_adjusted); }},
      {"p99_jct_difference_s", "",
       [](R r) { return tail_cell(r.contrast, [](const Tail& d) { return d.value; }); }, detail},
      {"p99_jct_low_s", "",
       [](R r) { return tail_cell(r.contrast, [](const Tail& d) { return d.interval.low; }); }, detail},
      {"p99_jct_high_s", "",
       [](R r) { return tail_cell(r.contrast, [](const Tail& d) { return d.interval.high; }); }, detail},
  };
}

std::string comparison_text(const simulate::PolicyComparison& c) {
  return c.first + " against " + c.second + ": mean JCT " + percent_cell(relative_change(c)).shown + ", " +
         verdict_text(c.verdict) + " (paired over seeds, p " + mean_cell(c.p_adjusted).shown + " after Holm)";
}

std::string tail_text(const simulate::DifferenceEstimate& d) {
  const auto signed_time = [](double s) { return (s < 0 ? "-" : "+") + human(Seconds{std::abs(s)}); };
  return "; p99 " + signed_time(d.value) + " (" + signed_time(d.interval.low) + " to " +
         signed_time(d.interval.high) + ")";
}

std::string contrast_text(const SweepPlan& plan, const PolicyContrast& contrast) {
  std::string where = plan.clusters.size() > 1 ? plan.clusters[contrast.cluster].name + ": " : "";
  if (plan.loads.size() > 1) where += "load " + number_text(plan.loads[contrast.load]) + ": ";
  return where + comparison_text(contrast.mean_jct_s) +
         (contrast.p99_jct_s ? tail_text(*contrast.p99_jct_s) : "");
}

}  // namespace

Table policies_table(const SweepPlan& plan, const ask::SimulationSummary& summary) {
  std::vector<PolicyRow> rows;
  for (const PolicySummary& policy : summary.policies) rows.push_back({plan, policy, summary.deadlines});
  const PolicySummary recorded =
      summary.recorded ? recorded_summary(plan, *summary.recorded) : PolicySummary{};
  if (summary.recorded) rows.push_back({plan, recorded, summary.deadlines, true});
  Table table = table_of(
      explained(policy_fields(),
                {{"mean_jct_s", "from a job's arrival to its completion"},
                 {"mean_wait_s", "from a job's arrival to its first start, mean"},
                 {"jain", "1 if all jobs are slowed down alike, near 0 if few have everything"},
                 {"ftf_max", "largest completion time over that with an equal share of the cluster"}}),
      rows);
  if (summary.recorded) {
    table.notes.emplace_back(
        "recorded: what the trace says happened to these jobs in the cluster that it is from");
  }
  if (plan.seeds > 1) {
    table.notes.push_back("means over " + std::to_string(plan.seeds) +
                          " seeds; ±: half of the 95 % interval of the mean; p99: difference with its "
                          "95 % interval by bootstrap");
  }
  for (const PolicyContrast& contrast : summary.contrasts) {
    table.notes.push_back(contrast_text(plan, contrast));
  }
  return table;
}

Table comparisons_table(const SweepPlan& plan, const ask::SimulationSummary& summary) {
  std::vector<ContrastRow> rows;
  for (const PolicyContrast& contrast : summary.contrasts) rows.push_back({plan, contrast});
  return table_of(contrast_fields(), rows);
}

}  // namespace sextant::report
