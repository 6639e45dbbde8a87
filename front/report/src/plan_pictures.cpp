#include <algorithm>
#include <map>

#include "sextant/report/plan_simulation_report.h"
#include "svg_frame.h"
#include "svg_text.h"

namespace sextant::report {
namespace {

using ask::PlanSimulation;
using capacity::OnlineSweepRun;
using capacity::Stay;

// Pixels.
constexpr double kChartWide = 900;
constexpr double kMostChartHigh = 1600;
constexpr double kNodeHigh = 22;
constexpr double kJobFont = 10;

const OnlineSweepRun* first_with_history(const PlanSimulation& simulation) {
  const auto found = std::ranges::find_if(
      simulation.runs, [](const OnlineSweepRun& run) { return run.done && !run.result.stays.empty(); });
  return found == simulation.runs.end() ? nullptr : &*found;
}

// A row for each node, as high as its GPUs are many: the node that is on is grey, and jobs stand on it in the
// order in which they came, each as high as its share.
class NodeChart {
 public:
  NodeChart(const PlanSimulation& simulation, const OnlineSweepRun& run)
      : workload_(simulation.plan.workloads[run.workload]), run_(run) {
    begin_ = workload_.jobs.front().submit.value;
    const double end = std::max(run.result.end.value, begin_ + 1);
    frame_.x = linear_axis(0, end - begin_, AxisUnit::time);
    frame_.y = linear_axis(0, static_cast<double>(workload_.nodes.size()));
    frame_.y.ticks.clear();
    frame_.wide = kChartWide;
    frame_.high = std::min(kMostChartHigh, kNodeHigh * static_cast<double>(workload_.nodes.size()));
    title_ = simulation.plan.methods[run.method].text + " on " + workload_.name;
  }

  std::string drawn() {
    std::string out =
        svg::open({.width = frame_.left + frame_.wide + frame_.right,
                   .height = frame_.top + frame_.high + 64,
                   .title = title_,
                   .description = "a row for each node: grey while it is rented, coloured by job"}) +
        frame_.grid();
    for (const Stay& stay : run_.result.stays) {
      if (stay.job == capacity::kNone) out += machine_bar(stay);
    }
    for (const Stay& stay : run_.result.stays) {
      if (stay.job != capacity::kNone) out += job_bar(stay);
    }
    return out + frame_.labels(title_, "time since the first job", "node") + svg::close();
  }

 private:
  [[nodiscard]] double row_high() const { return frame_.high / static_cast<double>(workload_.nodes.size()); }
  [[nodiscard]] double x_of(Seconds time) const { return frame_.at(time.value - begin_, 0).x; }
  [[nodiscard]] double top_of(std::int32_t node) const { return frame_.top + row_high() * node; }

  [[nodiscard]] std::string machine_bar(const Stay& stay) const {
    const capacity::MachineType& type = workload_.types[static_cast<std::size_t>(stay.type)];
    return svg::box({x_of(stay.begin), top_of(stay.node) + 1},
                    {x_of(stay.end) - x_of(stay.begin), row_high() - 2}, "fill=\"#DDDDDD\"",
                    "node " + std::to_string(stay.node) + ": " + type.name);
  }

  // Shares of a node are piled up as they begin; one that ended leaves its place.
  std::string job_bar(const Stay& stay) {
    const double whole = workload_.types[static_cast<std::size_t>(stay.type)].gpus;
    const double low = base_of(stay);
    const double high = (row_high() - 2) * stay.gpus / whole;
    const svg::Point corner{x_of(stay.begin), top_of(stay.node) + 1 + (row_high() - 2) * low / whole};
    const double wide = x_of(stay.end) - x_of(stay.begin);
    const std::string& id = workload_.jobs[static_cast<std::size_t>(stay.job)].id;
    std::string out = svg::box(corner, {wide, high},
                               "fill=\"" + svg::line_colour(static_cast<std::size_t>(stay.job)) +
                                   "\" stroke=\"white\" stroke-width=\"0.5\"",
                               id + ": " + std::to_string(stay.gpus) + " GPUs");
    if (high >= kJobFont && svg::text_width(id, kJobFont) + 4 < wide) {
      out += svg::text_at({corner.x + 2, corner.y + high / 2 + 3.5}, id, "font-size=\"10\" fill=\"white\"");
    }
    return out;
  }

  // GPUs of the node below this share: the first gap that is large enough.
  double base_of(const Stay& stay) {
    std::vector<std::pair<std::int32_t, Stay>>& there = piled_[static_cast<std::size_t>(stay.node)];
    std::erase_if(there, [&stay](const auto& other) { return other.second.end <= stay.begin; });
    std::ranges::sort(there, {}, [](const auto& other) { return other.first; });
    std::int32_t base = 0;
    for (const auto& [other, who] : there) {
      if (who.begin >= stay.end) continue;
      if (other - base >= stay.gpus) break;
      base = std::max(base, other + who.gpus);
    }
    there.emplace_back(base, stay);
    return base;
  }

  const capacity::Workload& workload_;
  const OnlineSweepRun& run_;
  double begin_ = 0;
  svg::Frame frame_;
  std::string title_;
  std::map<std::size_t, std::vector<std::pair<std::int32_t, Stay>>> piled_;  // by node
};

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
  const OnlineSweepRun* run = first_with_history(simulation);
  return run == nullptr ? std::string() : NodeChart(simulation, *run).drawn();
}

}  // namespace sextant::report
