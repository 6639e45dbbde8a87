#include "sextant/report/simulation_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/core/csv.h"
#include "simulation_runs.h"

namespace sextant {
namespace {

Json run_json(const SweepPlan& plan, const SweepRun& run) {
  const RunMetrics& m = run.metrics;
  const ClusterSpec& cluster = plan.clusters[run.cluster];
  Json json;
  json["schema"] = "sextant.simulation/1";
  json["policy"] = policy_name(plan, run);
  json["cluster"] = cluster.name;
  json["load"] = plan.loads[run.load];
  json["seed"] = run.seed;
  json["mechanism"] = plan.gavel ? "gavel" : (plan.run.mechanism == Mechanism::rounds ? "rounds" : "event");
  json["jobs"] = all_jobs(run);
  json["completed"] = m.completed;
  json["window_first"] = run.window.first;
  json["refused"] = run.refused.size();
  const std::vector<std::pair<const char*, double>> numbers = {{"mean_jct_s", m.mean_jct_s},
                                                               {"p50_jct_s", m.p50_jct_s},
                                                               {"p90_jct_s", m.p90_jct_s},
                                                               {"p99_jct_s", m.p99_jct_s},
                                                               {"makespan_s", m.makespan_s},
                                                               {"mean_wait_s", m.mean_wait_s},
                                                               {"p99_wait_s", m.p99_wait_s},
                                                               {"utilization", m.utilization},
                                                               {"goodput", m.goodput},
                                                               {"fragmentation", m.fragmentation},
                                                               {"jain", m.jain},
                                                               {"ftf_mean", m.ftf_mean},
                                                               {"ftf_max", m.ftf_max},
                                                               {"ftf_above", m.ftf_above},
                                                               {"slowdown_mean", m.slowdown_mean},
                                                               {"slowdown_p99", m.slowdown_p99}};
  for (const auto& [name, value] : numbers) json[name] = number_or_null(value);
  json["deadlines"] = m.deadlines;
  json["deadline_misses"] = m.deadline_misses;
  json["cost_usd"] = number_or_null(m.cost_usd);
  json["rent_usd"] = number_or_null(m.rent_usd);
  json["energy_kwh"] = number_or_null(m.energy_kwh);
  json["restarts"] = m.restarts;
  json["rounds"] = run.result.rounds;
  json["events"] = run.result.events;
  return json;
}

Cell cell_of(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return value.get<double>();
}

}  // namespace

Json simulation_json(const SweepPlan& plan, const std::vector<SweepRun>& runs) {
  Json list = Json::array();
  for (const SweepRun& run : runs) {
    if (run.done) list.push_back(run_json(plan, run));
  }
  return list;
}

Table simulation_runs_table(const SweepPlan& plan, const std::vector<SweepRun>& runs) {
  Table table;
  for (const SweepRun& run : runs) {
    if (!run.done) continue;
    const Json json = run_json(plan, run);
    std::vector<Cell> row;
    for (const auto& [key, value] : json.items()) {
      if (key == "schema") continue;
      if (table.rows.empty()) table.columns.push_back({key, key});
      row.push_back(cell_of(value));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> refused_text(const std::vector<SweepRun>& runs, std::size_t most) {
  std::vector<std::string> lines;
  for (const SweepRun& run : runs) {
    if (!run.done || run.policy != 0) continue;  // the same for every policy
    for (const RefusedJob& job : run.refused) {
      if (lines.size() == most) {
        lines.push_back("and " + std::to_string(run.refused.size() - most) + " more");
        return lines;
      }
      lines.push_back("job " + run.trace->jobs[static_cast<std::size_t>(job.source)].id + " " + job.reason);
    }
    if (!lines.empty()) return lines;  // of the first cluster that refuses any
  }
  return lines;
}

std::vector<std::string> unfinished_text(const SweepPlan& plan, const std::vector<SweepRun>& runs) {
  std::vector<std::string> lines;
  for (const SweepRun& run : runs) {
    if (!run.done || run.unfinished.empty()) continue;
    const auto first = static_cast<std::size_t>(run.unfinished.front());
    const auto source = static_cast<std::size_t>(run.jobs->jobs[first].source);
    lines.push_back(run_name(plan, run) + ": " + std::to_string(run.unfinished.size()) +
                    " jobs did not end within the run; the first is job " + run.trace->jobs[source].id);
  }
  return lines;
}

}  // namespace sextant
