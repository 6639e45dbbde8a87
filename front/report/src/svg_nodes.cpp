#include "svg_nodes.h"

#include <algorithm>
#include <map>

#include "svg_frame.h"
#include "svg_text.h"

namespace sextant::report {
namespace {

// Pixels.
constexpr double kNodesWide = 900;
constexpr double kMostNodesHigh = 1600;
constexpr double kRowHigh = 40;  // at least, while the picture is not too high
constexpr double kMostRowHigh = 76;
constexpr double kUsualHigh = 480;  // few nodes have high rows
constexpr double kJobPart = 0.66;   // of a row; the rest is its machine's
constexpr double kBarFont = 10;
constexpr double kMachineFont = 9;
constexpr double kLegendFont = 12;
constexpr const char* kDueColour = "#000000";
constexpr const char* kWhiskerColour = "#555555";
constexpr const char* kOnColour = "#d9d9d9";

std::string on_style() {
  return std::string("fill=\"") + kOnColour + "\" stroke=\"" + svg::kGrey + "\" stroke-width=\"0.5\"";
}

std::string fill_of(const char* colour) {
  return std::string("fill=\"") + colour + "\"";
}

// GPUs of a node, side by side.
struct GpuRun {
  std::int32_t first = 0;
  std::int32_t count = 0;
};

struct LegendEntry {
  std::string name;
  std::string style;  // of its sample
  bool line = false;
};

class NodeDrawing {
 public:
  explicit NodeDrawing(const NodePlot& plot) : plot_(plot) {
    const auto nodes = static_cast<double>(plot.nodes);
    SvgAxis rows = linear_axis(0, nodes);
    rows.ticks.clear();
    for (std::int32_t node = 0; node < plot.nodes; ++node)
      rows.ticks.push_back({nodes - node - 0.5, std::to_string(node)});
    frame_ = svg::frame_at_left(linear_axis(0, plot.end, AxisUnit::time), std::move(rows));
    frame_.wide = kNodesWide;
    const double row = std::clamp(kUsualHigh / nodes, kRowHigh, kMostRowHigh);
    frame_.high = std::min(kMostNodesHigh, row * nodes);
    frame_.right = 32;
  }

  std::string drawn() {
    std::string bars;
    for (const MachineBar& bar : plot_.machines) bars += machine(bar);
    for (const JobBar& bar : plot_.jobs) bars += job(bar);
    return svg::open({.width = frame_.left + frame_.wide + frame_.right,
                      .height = frame_.top + frame_.high + 88,
                      .title = plot_.title,
                      .description = "a row for each node: its machine while it is on, and above it the jobs "
                                     "that run there, each as high as its share of the GPUs"}) +
           frame_.grid() + bars + marks_ + frame_.labels(plot_.title, plot_.x_label, "node") + legend() +
           svg::close();
  }

 private:
  [[nodiscard]] double row_high() const { return frame_.high / static_cast<double>(plot_.nodes); }
  [[nodiscard]] double x_of(double time) const { return frame_.at(time, 0).x; }
  [[nodiscard]] double top_of(std::int32_t node) const { return frame_.top + row_high() * node + 1; }
  [[nodiscard]] double jobs_high() const { return kJobPart * (row_high() - 2); }

  [[nodiscard]] std::string machine(const MachineBar& bar) const {
    const double wide = x_of(bar.end) - x_of(bar.begin);
    const double high = row_high() - 2 - jobs_high();
    const svg::Point corner{x_of(bar.begin), top_of(bar.node) + jobs_high()};
    std::string out =
        svg::box(corner, {wide, high}, on_style(), "node " + std::to_string(bar.node) + ": " + bar.machine);
    const double text = svg::text_width(bar.machine, kMachineFont) + 6;
    // Beside a bar that is too short for it, where nothing else stands.
    const bool inside = text < wide;
    const bool beside = !inside && alone(bar) && x_of(bar.end) + text < frame_.left + frame_.wide;
    if (high >= kMachineFont + 2 && (inside || beside)) {
      const double x = inside ? corner.x + 3 : x_of(bar.end) + 3;
      out += svg::text_at({x, corner.y + high / 2 + 0.35 * kMachineFont}, bar.machine,
                          "font-size=\"" + svg::px(kMachineFont) + "\"");
    }
    return out;
  }

  [[nodiscard]] bool alone(const MachineBar& bar) const {
    return std::ranges::count(plot_.machines, bar.node, &MachineBar::node) == 1;
  }

  std::string job(const JobBar& bar) {
    std::string out;
    bool named = false;
    for (const GpuRun& run : gpus_of(bar)) {
      out += job_part(bar, run, !named);
      named = true;
    }
    return out;
  }

  std::string job_part(const JobBar& bar, const GpuRun& run, bool named) {
    const double high = jobs_high() * run.count / bar.of;
    const svg::Point corner{x_of(bar.begin), top_of(bar.node) + jobs_high() * run.first / bar.of};
    const double wide = x_of(bar.end) - x_of(bar.begin);
    const std::string gpus = std::to_string(bar.gpus) + (bar.gpus == 1 ? " GPU" : " GPUs");
    std::string out =
        svg::box(corner, {wide, high},
                 fill_of(bar.late ? svg::kVermilion : svg::kBlue) + " stroke=\"white\" stroke-width=\"0.5\"",
                 bar.job + ": " + gpus + (bar.late ? ", late" : ""));
    if (bar.late_end) {
      const double middle = corner.y + high / 2;
      marks_ += svg::line({corner.x + wide, middle}, {x_of(std::min(*bar.late_end, plot_.end)), middle},
                          std::string("stroke=\"") + kWhiskerColour + "\"");
    }
    if (bar.due && *bar.due <= plot_.end) {
      marks_ += svg::box({x_of(*bar.due) - 1, corner.y}, {2, high},
                         fill_of(kDueColour) + " stroke=\"white\" stroke-width=\"0.5\"", bar.job + " is due");
    }
    if (named && high >= kBarFont && svg::text_width(bar.job, kBarFont) + 6 < wide) {
      out += svg::text_at({corner.x + 3, corner.y + high / 2 + 0.35 * kBarFont}, bar.job,
                          "font-size=\"" + svg::px(kBarFont) + "\" fill=\"white\"");
    }
    return out;
  }

  // The GPUs of the node that the bar takes: the first gap that is large enough, else what is free in
  // several.
  std::vector<GpuRun> gpus_of(const JobBar& bar) {
    std::vector<double>& free_from = free_from_[bar.node];
    if (free_from.size() < static_cast<std::size_t>(bar.of))
      free_from.resize(static_cast<std::size_t>(bar.of), 0);
    std::vector<GpuRun> gaps;
    for (std::int32_t gpu = 0; gpu < bar.of; ++gpu) {
      if (free_from[static_cast<std::size_t>(gpu)] > bar.begin) continue;
      if (gaps.empty() || gaps.back().first + gaps.back().count != gpu) gaps.push_back({gpu, 0});
      ++gaps.back().count;
    }
    const auto whole = std::ranges::find_if(gaps, [&](const GpuRun& gap) { return gap.count >= bar.gpus; });
    if (whole != gaps.end()) gaps = {{whole->first, bar.gpus}};
    std::int32_t left = bar.gpus;
    for (GpuRun& gap : gaps) {
      gap.count = std::min(gap.count, left);
      left -= gap.count;
      for (std::int32_t i = 0; i < gap.count; ++i)
        free_from[static_cast<std::size_t>(gap.first + i)] = bar.end;
    }
    std::erase_if(gaps, [](const GpuRun& gap) { return gap.count == 0; });
    return gaps;
  }

  // Of what is there to be seen.
  [[nodiscard]] std::string legend() const {
    const auto any = [this](const auto& has) { return std::ranges::any_of(plot_.jobs, has); };
    std::vector<LegendEntry> entries = {{"a node that is on", on_style()}};
    if (any([](const JobBar& bar) { return !bar.late; })) entries.push_back({"a job", fill_of(svg::kBlue)});
    if (any([](const JobBar& bar) { return bar.late; }))
      entries.push_back({"a job that ends late", fill_of(svg::kVermilion)});
    if (any([this](const JobBar& bar) { return bar.due && *bar.due <= plot_.end; }))
      entries.push_back({"its due date", fill_of(kDueColour), true});
    if (any([](const JobBar& bar) { return bar.late_end.has_value(); }))
      entries.push_back({"its end at the latest", fill_of(kWhiskerColour), true});
    double x = frame_.left;
    const double y = frame_.top + frame_.high + 66;
    std::string out;
    for (const LegendEntry& entry : entries) {
      const svg::Point size = entry.line ? svg::Point{18, 2} : svg::Point{18, 11};
      out += svg::box({x, y + (11 - size.y) / 2}, size, entry.style, entry.name);
      out += svg::text_at({x + 24, y + 10}, entry.name, "");
      x += 24 + svg::text_width(entry.name, kLegendFont) + 24;
    }
    return out;
  }

  const NodePlot& plot_;
  svg::Frame frame_;
  std::map<std::int32_t, std::vector<double>> free_from_;  // each GPU of a node
  std::string marks_;  // due dates and whiskers, above the bars of later jobs
};

}  // namespace

std::string to_svg(const NodePlot& plot) {
  return NodeDrawing(plot).drawn();
}

}  // namespace sextant::report
