#include <algorithm>
#include <cmath>
#include <map>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/capacity_report.h"
#include "svg_nodes.h"

namespace sextant::report {

namespace {

std::string waiting_text(const ask::MethodPlan& plan) {
  constexpr std::size_t kMostNamed = 3;
  const std::size_t count = plan.postponed.size();
  if (count == 0) return "";
  if (count > kMostNamed) return "; " + std::to_string(count) + " jobs wait";
  std::vector<std::string> names;
  for (const ask::PostponedJob& job : plan.postponed) names.push_back(job.job);
  return "; " + join(names, ", ") + (count == 1 ? " waits" : " wait");
}

}  // namespace

std::string capacity_chart(const ask::CapacityAnswer& answer) {
  const ask::MethodPlan& plan = answer.plans.front();
  NodePlot plot{.title = plan.method + (answer.name.empty() ? "" : " on " + answer.name) + ": " +
                         human(plan.cost.total()) + waiting_text(plan),
                .x_label = "time from now",
                .nodes = static_cast<std::int32_t>(answer.nodes),
                .end = 1};
  std::map<std::int32_t, MachineBar> machines;
  for (const ask::PlannedJob& job : plan.jobs) {
    const double end = (job.end - job.start).value;
    plot.end = std::max({plot.end, end, job.late_end ? (*job.late_end - job.start).value : 0.0});
    for (std::size_t i = 0; i < job.nodes.size(); ++i) {
      const std::int32_t node = job.nodes[i];
      JobBar bar{.node = node,
                 .end = end,
                 .gpus = job.node_gpus[i],
                 .of = std::max(job.node_gpus[i], plan.node_gpus[static_cast<std::size_t>(node)]),
                 .job = job.job,
                 .late = job.tardiness > Seconds{}};
      if (std::isfinite(job.due.value)) bar.due = (job.due - job.start).value;
      if (job.late_end) bar.late_end = (*job.late_end - job.start).value;
      MachineBar& machine = machines.try_emplace(node, MachineBar{node, 0, 0, job.machine}).first->second;
      machine.end = std::max(machine.end, end);
      plot.jobs.push_back(std::move(bar));
    }
  }
  // Due dates soon after the last end still say something; those long after it would shrink the plan.
  constexpr double kRoomForDues = 1.5;
  double last = plot.end;
  for (const JobBar& bar : plot.jobs) {
    if (bar.due && *bar.due <= kRoomForDues * plot.end) last = std::max(last, *bar.due);
  }
  constexpr double kRoomAtEnd = 1.03;
  plot.end = kRoomAtEnd * last;
  for (const auto& [node, machine] : machines) plot.machines.push_back(machine);
  return to_svg(plot);
}

}  // namespace sextant::report
