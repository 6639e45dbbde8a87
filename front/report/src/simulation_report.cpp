#include "sextant/report/simulation_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "simulation_policies.h"
#include "simulation_verdict.h"

namespace sextant::report {
namespace {

using simulate::RunMetrics;
using simulate::SweepPlan;
using simulate::SweepRun;
using enum Importance;

struct RunRow {
  const SweepPlan& plan;
  const SweepRun& run;
};

// Nothing where a run has no value.
Cell metric_cell(double value) {
  return std::isfinite(value) ? Cell(value) : Cell();
}
Cell metric_cell(Seconds time) {
  return metric_cell(time.value);
}
Cell metric_cell(Dollars money) {
  return metric_cell(money.value);
}
Cell metric_cell(std::int64_t count) {
  return {count};
}
Cell number_of(std::uint64_t count) {
  return {static_cast<std::int64_t>(count)};
}

template <class Value>
Field<RunRow> metric(std::string key, Value RunMetrics::*member) {
  return {std::move(key), "", [member](const RunRow& r) { return metric_cell(r.run.metrics.*member); },
          detail};
}

Fields<RunRow> what_ran() {
  return {
      {"policy", "policy", [](const RunRow& r) { return Cell(ask::policy_name(r.plan, r.run)); }, identity},
      {"cluster", "cluster", [](const RunRow& r) { return Cell(r.plan.clusters[r.run.cluster].name); },
       identity},
      {"load", "load", [](const RunRow& r) { return Cell(r.plan.loads[r.run.load]); }, identity},
      {"seed", "seed", [](const RunRow& r) { return number_of(r.run.seed); }, identity},
      {"mechanism", "", [](const RunRow& r) { return Cell(r.plan.mechanism(r.run.policy)); }, detail},
      {"jobs", "", [](const RunRow& r) { return Cell(ask::all_jobs(r.run)); }, detail},
      {"completed", "", [](const RunRow& r) { return Cell(r.run.metrics.completed); }, detail},
      {"window_first", "", [](const RunRow& r) { return Cell(r.run.window.first); }, detail},
      {"refused", "", [](const RunRow& r) { return number_of(r.run.refused.size()); }, detail},
  };
}

Fields<RunRow> what_came_of_it() {
  return {
      metric("mean_jct_s", &RunMetrics::mean_jct),
      metric("p50_jct_s", &RunMetrics::p50_jct),
      metric("p90_jct_s", &RunMetrics::p90_jct),
      metric("p99_jct_s", &RunMetrics::p99_jct),
      metric("makespan_s", &RunMetrics::makespan),
      metric("mean_wait_s", &RunMetrics::mean_wait),
      metric("p99_wait_s", &RunMetrics::p99_wait),
      metric("utilization", &RunMetrics::utilization),
      metric("goodput", &RunMetrics::goodput),
      metric("fragmentation", &RunMetrics::fragmentation),
      metric("jain", &RunMetrics::jain),
      metric("ftf_mean", &RunMetrics::ftf_mean),
      metric("ftf_max", &RunMetrics::ftf_max),
      metric("ftf_above", &RunMetrics::ftf_above),
      metric("slowdown_mean", &RunMetrics::slowdown_mean),
      metric("slowdown_p99", &RunMetrics::slowdown_p99),
      metric("deadlines", &RunMetrics::deadlines),
      metric("deadline_misses", &RunMetrics::deadline_misses),
      metric("cost_usd", &RunMetrics::cost),
      metric("rent_usd", &RunMetrics::rent),
      metric("energy_kwh", &RunMetrics::energy_kwh),
      metric("restarts", &RunMetrics::restarts),
      {"rounds", "", [](const RunRow& r) { return number_of(r.run.result.rounds); }, detail},
      {"events", "", [](const RunRow& r) { return number_of(r.run.result.events); }, detail},
  };
}

Table runs_table(const SweepPlan& plan, const std::vector<SweepRun>& runs) {
  std::vector<RunRow> done;
  for (const SweepRun& run : runs) {
    if (run.done) done.push_back({plan, run});
  }
  return table_of(joined({what_ran(), what_came_of_it()}), done);
}

// Jobs that can never run, by cluster and reason.
struct RefusalRow {
  const SweepPlan& plan;
  ask::RefusedGroup refused;
};

Table refusals_table(const SweepPlan& plan, const std::vector<SweepRun>& runs) {
  std::vector<RefusalRow> rows;
  for (ask::RefusedGroup& group : ask::refused_groups(runs)) rows.push_back({plan, std::move(group)});
  using R = const RefusalRow&;
  return table_of(
      Fields<RefusalRow>{
          {"cluster", "cluster", [](R r) { return Cell(r.plan.clusters[r.refused.cluster].name); }, identity},
          {"why", "why", [](R r) { return Cell(r.refused.why); }, identity},
          {"jobs", "jobs", [](R r) { return Cell(r.refused.jobs); }, essential},
          {"examples", "examples", [](R r) { return Cell::nested(r.refused.examples); }},
      },
      rows);
}

}  // namespace

Result simulation_result(const SweepPlan& plan, const std::vector<SweepRun>& runs,
                         const std::optional<ask::RecordedTimes>& recorded) {
  ask::SimulationSummary summary = ask::over_seeds(plan, runs);
  summary.recorded = recorded;
  const std::vector<ask::PolicyVerdict> verdicts = ask::verdicts(plan, runs);
  Table sentences;  // above the table that they are about
  for (const ask::PolicyVerdict& verdict : verdicts) {
    for (std::string& line : verdict_lines(plan, verdict)) sentences.notes.push_back(std::move(line));
  }
  if (std::string told = told_line(plan); !told.empty()) sentences.notes.push_back(std::move(told));
  const bool said = !sentences.notes.empty();
  return {.schema = "sextant.simulation/2",
          .sections = {{.key = "runs", .table = runs_table(plan, runs), .shown = false},
                       {.table = std::move(sentences), .shown = said},
                       {.key = "policies", .table = policies_table(plan, summary)},
                       {.key = "comparisons", .table = comparisons_table(plan, summary), .shown = false},
                       {.key = "verdicts", .table = verdicts_table(plan, verdicts), .shown = false},
                       {.key = "refusals", .table = refusals_table(plan, runs), .shown = false}}};
}

}  // namespace sextant::report
