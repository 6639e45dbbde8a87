#include "sextant/ask/plan_simulate.h"

#include <algorithm>
#include <filesystem>

#include "absurd_values.h"
#include "plan_simulate_fields.h"
#include "seed_values.h"
#include "sextant/ask/network_times.h"
#include "sextant/capacity/workload_draws.h"
#include "sextant/capacity/workload_files.h"
#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

// In the order of the table, which is not that of the names.
std::vector<capacity::Workload> chosen(std::vector<capacity::Workload> all,
                                       const std::vector<std::string>& names) {
  if (names.empty()) return all;
  std::vector<std::string> known;
  for (const capacity::Workload& workload : all) known.push_back(workload.name);
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw InputError(at_field("instance"), "there is no instance '" + name + "'", name_hint(name, known));
  }
  std::erase_if(all, [&names](const capacity::Workload& workload) {
    return std::ranges::find(names, workload.name) == names.end();
  });
  return all;
}

// "traces/philly.csv.gz" is philly.
std::string trace_name(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  for (const char* ending : {".gz", ".csv"}) {
    if (name.ends_with(ending)) name.resize(name.size() - std::string_view(ending).size());
  }
  return name;
}

std::vector<capacity::Workload> table_workloads(const PlanSimulateQuestion& question,
                                                const catalog::Catalog& catalog, PlanSimulation& answer) {
  const CsvTable jobs = capacity::read_table(*question.jobs);
  std::optional<CsvTable> times;
  if (question.times) times = capacity::read_table(*question.times);
  const CsvTable machines = capacity::read_table(*question.machines);
  bool predicted = false;
  const auto predict = [&](const capacity::TrainedNetwork& network,
                           const std::vector<capacity::MachineType>& types) {
    PredictedTimes found = network_times(network, types, catalog);
    predicted = true;
    if (!found.bounded_below.empty()) {
      answer.warnings.push_back("of " + network.net + " on " + join(found.bounded_below, ", ") +
                                " only the least time is known: it may take four times as long");
    }
    return std::move(found.options);
  };
  auto workloads = capacity::workloads_of({.jobs = jobs,
                                           .times = times ? &*times : nullptr,
                                           .machines = machines,
                                           .catalog = catalog,
                                           .network_times = predict});
  if (predicted) answer.notes.emplace_back("times of networks are predicted, as predict does");
  return workloads;
}

std::vector<capacity::Workload> workloads_for(const PlanSimulateQuestion& question,
                                              const catalog::Catalog& catalog, PlanSimulation& answer) {
  if (question.generate) {
    return draw_workloads(capacity::parse_workload_draws(*question.generate, at_field("generate")),
                          question.seed);
  }
  if (question.jobs) {
    std::vector<capacity::Workload> workloads =
        chosen(table_workloads(question, catalog, answer), question.instances);
    for (const capacity::Workload& workload : workloads) {
      refuse_absurd_prices(workload.types, {*question.machines});
      for (const capacity::WorkloadJob& job : workload.jobs)
        refuse_absurd_times({job.id, job.tardiness, job.options}, {*question.jobs});
    }
    return workloads;
  }
  const CsvTable trace = capacity::read_table(*question.trace);
  const CsvTable throughputs = capacity::read_table(*question.throughputs);
  const clusters::Cluster cluster = clusters::parse_cluster(*question.cluster, catalog, at_field("cluster"));
  std::vector<capacity::Workload> workloads;
  workloads.push_back(capacity::deadline_workload({.trace = trace, .throughputs = throughputs}, cluster));
  workloads.front().name = trace_name(*question.trace);
  return workloads;
}

void warn_of_runs(PlanSimulation& answer) {
  for (const capacity::OnlineSweepRun& run : answer.runs) {
    if (!run.done || run.result.unfinished == 0) continue;
    answer.warnings.push_back(answer.plan.methods[run.method].text + ", " +
                              answer.plan.workloads[run.workload].name + ": " +
                              std::to_string(run.result.unfinished) + " jobs were never started or ended");
  }
  if (!answer.stopped) return;
  answer.warnings.push_back(interrupted_text(answer.runs));
}

}  // namespace

PlanSimulation plan_simulate(const PlanSimulateQuestion& question, const catalog::Catalog& catalog,
                             Progress& progress, const RunStop& stop) {
  PlanSimulation answer;
  answer.plan = online_plan(question);
  answer.plan.workloads = workloads_for(question, catalog, answer);
  answer.plan.stop = stop;
  answer.runs = sweep_online(answer.plan, progress);
  answer.plan.stop = {};  // it refers to what ends here
  answer.stopped = stop.asked();
  warn_of_runs(answer);
  return answer;
}

}  // namespace sextant::ask
