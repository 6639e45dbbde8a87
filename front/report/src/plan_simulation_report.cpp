#include "sextant/report/plan_simulation_report.h"

#include <cmath>

#include "plan_simulation_verdict.h"

namespace sextant::report {
namespace {

using ask::MethodContrast;
using ask::MethodSummary;
using ask::PlanSimulation;
using capacity::OnlineSweepRun;
using enum Importance;

struct OnlineRow {
  const PlanSimulation& simulation;
  const OnlineSweepRun& run;
};

struct MethodRow {
  const PlanSimulation& simulation;
  const MethodSummary& summary;
};

struct MethodContrastRow {
  const PlanSimulation& simulation;
  const MethodContrast& contrast;
};

double kilowatt_hours(Joules energy) {
  return energy.value / 3.6e6;
}

double met_of(const OnlineSweepRun& run) {
  const auto jobs = static_cast<double>(run.result.jobs.size());
  return jobs == 0 ? 1 : static_cast<double>(run.result.met) / jobs;
}

// Nothing on a screen where it is 0.
Cell if_any(double value, Cell cell) {
  if (value == 0) cell.shown.clear();
  return cell;
}

Cell plus_minus(Cell cell, const std::optional<double>& half_width, double scale) {
  if (half_width && scale > 0) cell.shown += " ± " + percent_words(*half_width / scale);
  return cell;
}

Cell mean_count(double mean) {
  if (mean == std::floor(mean)) return {static_cast<std::int64_t>(mean)};
  Cell cell(mean);
  cell.shown = readable(std::round(mean * 10) / 10);
  return cell;
}

Fields<OnlineRow> online_run_fields() {
  using R = const OnlineRow&;
  return {
      {"instance", "instance", [](R r) { return Cell(r.simulation.plan.workloads[r.run.workload].name); },
       identity},
      {"method", "method", [](R r) { return Cell(r.simulation.plan.methods[r.run.method].text); }, identity},
      {"seed", "", [](R r) { return Cell(static_cast<std::int64_t>(r.run.seed)); }, detail},
      {"total_usd", "total", [](R r) { return Cell(r.run.result.total()); }, essential},
      {"vm_usd", "machines", [](R r) { return Cell(r.run.result.machines); }},
      {"energy_usd", "energy",
       [](R r) { return if_any(r.run.result.energy_cost.value, r.run.result.energy_cost); }},
      {"tardiness_usd", "tardiness", [](R r) { return Cell(r.run.result.tardiness_cost); }},
      {"jobs", "jobs", [](R r) { return Cell(static_cast<std::int64_t>(r.run.result.jobs.size())); }},
      {"late", "late", [](R r) { return Cell(r.run.result.late); }},
      {"met", "met", [](R r) { return percent_cell(met_of(r.run)); }, essential},
      {"refused", "refused", [](R r) { return Cell(r.run.result.refused); }, detail},
      {"unfinished", "", [](R r) { return Cell(r.run.result.unfinished); }, detail},
      {"tardiness_s", "", [](R r) { return Cell(r.run.result.tardiness); }, detail},
      {"restarts", "", [](R r) { return Cell(r.run.result.restarts); }, detail},
      {"losses", "", [](R r) { return Cell(r.run.result.losses); }, detail},
      {"energy_kwh", "", [](R r) { return Cell(kilowatt_hours(r.run.result.energy)); }, detail},
      {"carbon_kg", "", [](R r) { return Cell(r.run.result.carbon_kg); }, detail},
      {"end_s", "", [](R r) { return Cell(r.run.result.end); }, detail},
      {"decisions", "", [](R r) { return Cell(r.run.result.decisions); }, detail},
  };
}

Fields<OnlineRow> online_time_fields() {
  using R = const OnlineRow&;
  return {{"solve_s", "deciding", [](R r) { return Cell(r.run.result.solve); }},
          {"longest_solve_s", "", [](R r) { return Cell(r.run.result.longest_solve); }, detail}};
}

Fields<MethodRow> method_fields() {
  using R = const MethodRow&;
  return {
      {"method", "method", [](R r) { return Cell(r.simulation.plan.methods[r.summary.method].text); },
       identity},
      {"runs", "runs", [](R r) { return Cell(r.summary.runs); }},
      {"total_usd", "total",
       [](R r) {
         return plus_minus(Dollars{r.summary.total_usd.mean}, r.summary.total_usd.half_width,
                           r.summary.total_usd.mean);
       },
       essential},
      {"vm_usd", "machines", [](R r) { return Cell(Dollars{r.summary.vm_usd}); }},
      {"energy_usd", "energy",
       [](R r) { return if_any(r.summary.energy_usd, Dollars{r.summary.energy_usd}); }},
      {"tardiness_usd", "tardiness", [](R r) { return Cell(Dollars{r.summary.tardiness_usd}); }},
      {"jobs", "jobs", [](R r) { return mean_count(r.summary.jobs); }},
      {"late", "late", [](R r) { return mean_count(r.summary.late); }},
      {"met", "met",
       [](R r) { return plus_minus(percent_cell(r.summary.met.mean), r.summary.met.half_width, 1); },
       essential},
      {"refused", "refused", [](R r) { return if_any(r.summary.refused, mean_count(r.summary.refused)); }},
      {"restarts", "restarts", [](R r) { return mean_count(r.summary.restarts); }},
      {"energy_kwh", "kWh", [](R r) { return if_any(r.summary.energy_kwh, Cell(r.summary.energy_kwh)); }},
      {"carbon_kg", "kg CO2", [](R r) { return if_any(r.summary.carbon_kg, Cell(r.summary.carbon_kg)); }},
      {"total_half_width_usd", "", [](R r) { return Cell(r.summary.total_usd.half_width); }, detail},
      {"met_half_width", "", [](R r) { return Cell(r.summary.met.half_width); }, detail},
  };
}

Fields<MethodRow> method_time_fields() {
  using R = const MethodRow&;
  return {{"solve_s", "deciding", [](R r) { return Cell(Seconds{r.summary.solve_s}); }},
          {"longest_solve_s", "longest", [](R r) { return Cell(Seconds{r.summary.longest_solve_s}); }}};
}

Fields<MethodContrastRow> method_contrast_fields() {
  using R = const MethodContrastRow&;
  const auto end = [](const std::optional<stats::Interval>& interval, double stats::Interval::*member) {
    return interval ? Cell((*interval).*member) : Cell();
  };
  return {
      {"method", "method", [](R r) { return Cell(r.simulation.plan.methods[r.contrast.method].text); },
       identity},
      {"against", "against", [](R r) { return Cell(r.simulation.plan.methods[r.contrast.against].text); },
       identity},
      {"pairs", "pairs", [](R r) { return Cell(r.contrast.pairs); }},
      {"cost_change", "cost",
       [](R r) {
         return std::isfinite(r.contrast.cost_change) ? percent_cell(r.contrast.cost_change) : Cell();
       },
       essential},
      {"cost_change_low", "", [end](R r) { return end(r.contrast.cost_interval, &stats::Interval::low); },
       detail},
      {"cost_change_high", "", [end](R r) { return end(r.contrast.cost_interval, &stats::Interval::high); },
       detail},
      {"met_change", "met", [](R r) { return percent_cell(r.contrast.met_change); }, essential},
      {"met_change_low", "", [end](R r) { return end(r.contrast.met_interval, &stats::Interval::low); },
       detail},
      {"met_change_high", "", [end](R r) { return end(r.contrast.met_interval, &stats::Interval::high); },
       detail},
  };
}

Table online_runs_table(const PlanSimulation& simulation, bool timed) {
  std::vector<OnlineRow> rows;
  for (const OnlineSweepRun& run : simulation.runs) {
    if (run.done) rows.push_back({simulation, run});
  }
  return table_of(timed ? joined({online_run_fields(), online_time_fields()}) : online_run_fields(), rows);
}

Table methods_table(const PlanSimulation& simulation, const ask::PlanSummary& summary, bool timed) {
  std::vector<MethodRow> rows;
  for (const MethodSummary& method : summary.methods) rows.push_back({simulation, method});
  const Fields<MethodRow> fields = explained(
      method_fields(), {{"total_usd", "rent, energy and lateness of a whole run"},
                        {"met", "share of the jobs that ended by their due dates; who is refused did not"}});
  const Fields<MethodRow> times =
      explained(method_time_fields(), {{"solve_s", "wall time of the method in a whole run"},
                                       {"longest_solve_s", "wall time of the decision that took longest"}});
  Table table = table_of(timed ? joined({fields, times}) : fields, rows);
  const std::size_t groups =
      simulation.plan.workloads.size() * static_cast<std::size_t>(simulation.plan.seeds);
  if (groups > 1) {
    const bool intervals = !summary.methods.empty() && summary.methods.front().met.half_width;
    table.notes.push_back("means over " + std::to_string(groups) + " runs of each method" +
                          (intervals ? "; ±: half of the 95 % interval of the mean" : ""));
  }
  for (const MethodContrast& contrast : summary.contrasts) {
    table.notes.push_back(plan_contrast_text(simulation, contrast));
  }
  table.notes.insert(table.notes.end(), simulation.notes.begin(), simulation.notes.end());
  return table;
}

Table contrasts_table(const PlanSimulation& simulation, const ask::PlanSummary& summary) {
  std::vector<MethodContrastRow> rows;
  for (const MethodContrast& contrast : summary.contrasts) rows.push_back({simulation, contrast});
  return table_of(method_contrast_fields(), rows);
}

}  // namespace

Result plan_simulation_result(const PlanSimulation& simulation, bool timed) {
  const ask::PlanSummary summary = summarize_plans(simulation);
  Table sentences;  // above the table that they are about
  if (const std::string sentence = plan_verdict_text(simulation, summary); !sentence.empty()) {
    sentences.notes.push_back(sentence);
  }
  const bool said = !sentences.notes.empty();
  return {
      .schema = "sextant.plan-simulation/1",
      .sections = {{.key = "runs", .table = online_runs_table(simulation, timed), .shown = false},
                   {.table = std::move(sentences), .shown = said},
                   {.key = "methods", .table = methods_table(simulation, summary, timed)},
                   {.key = "comparisons", .table = contrasts_table(simulation, summary), .shown = false}}};
}

}  // namespace sextant::report
