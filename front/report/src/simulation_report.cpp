#include "sextant/report/simulation_report.h"

#include <nlohmann/json.hpp>

namespace sextant::report {
namespace {

Json run_json(const simulate::SweepPlan& plan, const simulate::SweepRun& run) {
  const simulate::RunMetrics& m = run.metrics;
  const simulate::ClusterSpec& cluster = plan.clusters[run.cluster];
  Json json;
  json["schema"] = "sextant.simulation/1";
  json["policy"] = ask::policy_name(plan, run);
  json["cluster"] = cluster.name;
  json["load"] = plan.loads[run.load];
  json["seed"] = run.seed;
  json["mechanism"] = plan.run.mechanism;
  json["jobs"] = ask::all_jobs(run);
  json["completed"] = m.completed;
  json["window_first"] = run.window.first;
  json["refused"] = run.refused.size();
  const std::vector<std::pair<const char*, double>> numbers = {{"mean_jct_s", m.mean_jct.value},
                                                               {"p50_jct_s", m.p50_jct.value},
                                                               {"p90_jct_s", m.p90_jct.value},
                                                               {"p99_jct_s", m.p99_jct.value},
                                                               {"makespan_s", m.makespan.value},
                                                               {"mean_wait_s", m.mean_wait.value},
                                                               {"p99_wait_s", m.p99_wait.value},
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
  json["cost_usd"] = number_or_null(m.cost.value);
  json["rent_usd"] = number_or_null(m.rent.value);
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

Json simulation_json(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs) {
  Json list = Json::array();
  for (const simulate::SweepRun& run : runs) {
    if (run.done) list.push_back(run_json(plan, run));
  }
  return list;
}

Table simulation_runs_table(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs) {
  Table table;
  for (const simulate::SweepRun& run : runs) {
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

}  // namespace sextant::report
