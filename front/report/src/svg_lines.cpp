#include "sextant/report/svg_lines.h"

#include <algorithm>

#include "sextant/core/text.h"
#include "svg_frame.h"
#include "svg_text.h"

namespace sextant::report {
namespace {

// Pixels.
constexpr double kLineNameFont = 12;
constexpr double kLineSample = 34;  // of the line, before its name
constexpr double kLineGap = 8;

SvgAxis x_axis(const LinePlot& plot) {
  std::vector<double> all;
  for (const LineSeries& series : plot.series) all.insert(all.end(), series.x.begin(), series.x.end());
  const auto [least, most] = std::ranges::minmax(all);
  if (plot.x_scale == AxisScale::log && least > 0) return axis_for(all, plot.x_unit);
  return linear_axis(least, most > least ? most : least + 1, plot.x_unit);
}

std::string drawn_line(const svg::Frame& frame, const LineSeries& series, const std::string& style) {
  std::vector<svg::Point> points;
  for (std::size_t i = 0; i < series.x.size(); ++i) points.push_back(frame.at(series.x[i], series.y[i]));
  return svg::polyline(points, style);
}

}  // namespace

std::string to_svg(const LinePlot& plot) {
  std::vector<std::string> names;
  for (const LineSeries& series : plot.series) names.push_back(series.name);
  const svg::NameList list(names, kLineNameFont);
  svg::Frame frame = svg::frame_at_left(x_axis(plot), linear_axis(plot.y_low, plot.y_high, plot.y_unit));
  frame.right = 2 * kLineGap + kLineSample + kLineGap + list.wide() + kLineGap;
  const double sample = frame.left + frame.wide + 2 * kLineGap;
  std::string out = svg::open({.width = frame.left + frame.wide + frame.right,
                               .height = frame.top + std::max(frame.high, list.high()) + 64,
                               .title = plot.title,
                               .description = plot.y_label + " over " + plot.x_label +
                                              ", a line for each of: " + join(names, ", ")}) +
                    frame.grid();
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    out += drawn_line(frame, plot.series[i], svg::line_style(i));
  }
  out += list.drawn({sample + kLineSample + kLineGap, frame.top + 10}, [&](std::size_t i, double y) {
    return svg::line({sample, y - 4}, {sample + kLineSample, y - 4}, svg::line_style(i));
  });
  return out + frame.labels(plot.title, plot.x_label, plot.y_label) + svg::close();
}

}  // namespace sextant::report
