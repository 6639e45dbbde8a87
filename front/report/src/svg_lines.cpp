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
  for (const auto* drawn : {&plot.series, &plot.points}) {
    for (const LineSeries& series : *drawn) all.insert(all.end(), series.x.begin(), series.x.end());
  }
  const auto [least, most] = std::ranges::minmax(all);
  if (plot.x_scale == AxisScale::log && least > 0) return axis_for(all, plot.x_unit);
  constexpr double kFromZero = 0.05;  // of the axis: what begins so near 0 is drawn from there
  const double low = least > 0 && least < kFromZero * most ? 0 : least;
  return linear_axis(low, most > least ? most : least + 1, plot.x_unit);
}

// Filled, then hollow.
std::string point_at(svg::Point at, std::size_t series) {
  const std::string fill = series == 0 ? "fill=\"" + std::string(svg::kBlue) + "\" fill-opacity=\"0.6\""
                                       : "fill=\"none\" stroke=\"" + std::string(svg::kVermilion) + "\"";
  return svg::circle(at, 3, fill);
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
  for (const LineSeries& series : plot.points) names.push_back(series.name);
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
  for (std::size_t i = 0; i < plot.points.size(); ++i) {
    const LineSeries& series = plot.points[i];
    for (std::size_t k = 0; k < series.x.size(); ++k) out += point_at(frame.at(series.x[k], series.y[k]), i);
  }
  out += list.drawn({sample + kLineSample + kLineGap, frame.top + 10}, [&](std::size_t i, double y) {
    const std::size_t lines = plot.series.size();
    if (i >= lines) return point_at({sample + kLineSample / 2, y - 4}, i - lines);
    return svg::line({sample, y - 4}, {sample + kLineSample, y - 4}, svg::line_style(i));
  });
  return out + frame.labels(plot.title, plot.x_label, plot.y_label) + svg::close();
}

}  // namespace sextant::report
