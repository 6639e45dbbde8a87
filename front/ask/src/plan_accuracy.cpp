#include "plan_accuracy.h"

#include <cmath>
#include <map>

#include "sextant/ask/plan_simulate.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

using InstanceAndMethod = std::pair<std::string, std::string>;

std::map<InstanceAndMethod, double> reference_costs(const std::string& path) {
  const CsvTable table = CsvTable::read_file(path);
  const std::size_t instance = table.column("instance");
  const std::size_t method = table.column("method");
  const std::size_t total = table.column("total_usd");
  std::map<InstanceAndMethod, double> costs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    // A run that crashed has no total.
    if (const auto usd = table.maybe_number(row, total))
      costs[{table.text(row, instance), fold_name(table.text(row, method))}] = *usd;
  }
  return costs;
}

}  // namespace

stats::AccuracyLine plan_accuracy(const std::string& folder, const catalog::Catalog& catalog,
                                  Progress& progress) {
  const auto costs = reference_costs(folder + "/reference_costs.csv");
  PlanSimulateQuestion question{.jobs = folder + "/jobs.csv.gz",
                                .times = folder + "/execution_times.csv",
                                .machines = folder + "/vm_types.csv",
                                .methods = {"fifo", "edf", "priority", "greedy"},
                                .rules = "andreas"};
  const PlanSimulation simulation = plan_simulate(question, catalog, progress);
  stats::AccuracyLine line{.data = "cost of online plans (ANDREAS, the authors' simulator)",
                           .left_out = "everything: nothing is fitted",
                           .target = 0.02};
  line.intervals = false;
  for (const capacity::OnlineSweepRun& run : simulation.runs) {
    const std::string& method = simulation.plan.methods[run.method].text;
    const auto theirs = costs.find({simulation.plan.workloads[run.workload].name, method});
    if (theirs == costs.end()) continue;
    line.cases.push_back({.group = method,
                          .mode = "",
                          .error = std::abs(run.result.total().value - theirs->second) / theirs->second});
  }
  return line;
}

}  // namespace sextant::ask
