#include <algorithm>
#include <cmath>

#include "sextant/core/unit_text.h"
#include "sextant/report/plan_simulation_report.h"
#include "svg_nodes.h"

namespace sextant::report {
namespace {

using ask::PlanSimulation;
using capacity::OnlineSweepRun;
using capacity::Stay;

constexpr std::size_t kMostDues = 40;  // jobs; with more, their due dates would hide them

// On the last bar of each job.
void add_due_dates(const capacity::Workload& workload, NodePlot& plot) {
  const double begin = workload.jobs.front().submit.value;
  for (const capacity::WorkloadJob& job : workload.jobs) {
    JobBar* last = nullptr;
    for (JobBar& bar : plot.jobs) {
      if (bar.job == job.id && (last == nullptr || bar.end >= last->end)) last = &bar;
    }
    if (last != nullptr && std::isfinite(job.due.value)) last->due = job.due.value - begin;
  }
}

const OnlineSweepRun* first_with_history(const PlanSimulation& simulation) {
  const auto found = std::ranges::find_if(
      simulation.runs, [](const OnlineSweepRun& run) { return run.done && !run.result.stays.empty(); });
  return found == simulation.runs.end() ? nullptr : &*found;
}

// Of the first instance and seed, the run that is best by what methods are ranked by.
const OnlineSweepRun* best_with_history(const PlanSimulation& simulation) {
  const OnlineSweepRun* best = first_with_history(simulation);
  const bool deadlines = simulation.plan.run.wishes.admission;
  for (const OnlineSweepRun& run : simulation.runs) {
    if (best == nullptr || !run.done || run.workload != best->workload || run.seed != best->seed) continue;
    const bool better =
        deadlines ? run.result.met > best->result.met : run.result.total() < best->result.total();
    if (better && !run.result.stays.empty()) best = &run;
  }
  return best;
}

NodePlot node_plot(const PlanSimulation& simulation, const OnlineSweepRun& run) {
  const capacity::Workload& workload = simulation.plan.workloads[run.workload];
  const double begin = workload.jobs.front().submit.value;
  NodePlot plot{.title = simulation.plan.methods[run.method].text + " on " + workload.name + ": " +
                         human(run.result.total()),
                .x_label = "time since the first job",
                .nodes = static_cast<std::int32_t>(workload.nodes.size()),
                .end = std::max(run.result.end.value - begin, 1.0)};
  for (const Stay& stay : run.result.stays) {
    const capacity::MachineType& type = workload.types[static_cast<std::size_t>(stay.type)];
    const double from = stay.begin.value - begin;
    const double to = stay.end.value - begin;
    if (stay.job == capacity::kNone) {
      plot.machines.push_back({stay.node, from, to, type.name});
      continue;
    }
    const auto job = static_cast<std::size_t>(stay.job);
    plot.jobs.push_back({.node = stay.node,
                         .begin = from,
                         .end = to,
                         .gpus = stay.gpus,
                         .of = type.gpus,
                         .job = workload.jobs[job].id,
                         .late = !run.result.jobs[job].met()});
  }
  std::ranges::stable_sort(plot.jobs, {}, &JobBar::begin);
  if (workload.jobs.size() <= kMostDues) add_due_dates(workload, plot);
  return plot;
}

}  // namespace

LinePlot spending_plot(const PlanSimulation& simulation) {
  LinePlot plot{.title = "what was spent",
                .x_label = "time since the first job",
                .y_label = "USD",
                .x_unit = AxisUnit::time,
                .y_high = 0};
  const OnlineSweepRun* first = first_with_history(simulation);
  if (first == nullptr) return plot;
  plot.title += " on " + simulation.plan.workloads[first->workload].name;
  const double begin = simulation.plan.workloads[first->workload].jobs.front().submit.value;
  for (const OnlineSweepRun& run : simulation.runs) {
    if (!run.done || run.workload != first->workload || run.seed != first->seed) continue;
    LineSeries series{.name = simulation.plan.methods[run.method].text};
    for (const capacity::SpentPoint& point : run.result.spent) {
      series.x.push_back(point.time.value - begin);
      series.y.push_back((point.machines + point.tardiness).value);
      plot.y_high = std::max(plot.y_high, series.y.back());
    }
    plot.series.push_back(std::move(series));
  }
  if (plot.y_high == 0) plot.y_high = 1;
  return plot;
}

std::string node_chart(const PlanSimulation& simulation) {
  const OnlineSweepRun* run = best_with_history(simulation);
  return run == nullptr ? std::string() : to_svg(node_plot(simulation, *run));
}

}  // namespace sextant::report
