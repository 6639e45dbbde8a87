#include "sextant/report/svg_scatter.h"

#include <algorithm>

#include "sextant/report/svg_axis.h"
#include "svg_frame.h"

namespace sextant::report {
namespace {

using svg::Frame;
using svg::Point;
using svg::px;
using svg::text_at;

constexpr double kSide = 440;  // pixels, of the square plot

std::string dot(Point at, bool hollow) {
  const std::string style = hollow ? "fill=\"none\" stroke=\"" + std::string(svg::kVermilion) + "\""
                                   : "fill=\"" + std::string(svg::kBlue) + "\" fill-opacity=\"0.6\"";
  return svg::circle(at, 3.2, style);
}

std::string legend(const Frame& frame) {
  const double x = frame.left + 16;
  const double y = frame.top + 18;
  return "<rect x=\"" + px(x - 10) + "\" y=\"" + px(y - 14) +
         "\" width=\"190\" height=\"40\" fill=\"#ffffff\" fill-opacity=\"0.85\"/>\n" +
         dot({x, y - 4}, false) + text_at({x + 10, y}, "inside the trained range", "") +
         dot({x, y + 14}, true) + text_at({x + 10, y + 18}, "outside: extrapolating", "");
}

}  // namespace

std::string to_svg(const Scatter& scatter) {
  std::vector<double> values;
  for (const auto& point : scatter.points) {
    values.push_back(point.measured);
    values.push_back(point.predicted);
  }
  const SvgAxis axis = axis_for(values, unit_of(scatter.quantity));
  Frame frame = svg::frame_at_left(axis, axis);
  frame.wide = frame.high = kSide;
  const double bottom = frame.top + kSide;
  std::string out = svg::open({.width = frame.left + kSide + frame.right,
                               .height = bottom + 64,
                               .title = scatter.title,
                               .description = "Predicted over measured " + scatter.quantity +
                                              ", a dot for each of " + std::to_string(scatter.points.size()) +
                                              " rows, and the line where both are the same"});
  out += frame.grid() + svg::line({frame.left, bottom}, {frame.left + kSide, frame.top},
                                  "stroke=\"#555555\" stroke-dasharray=\"5 4\"");
  for (const auto& p : scatter.points) out += dot(frame.at(p.measured, p.predicted), p.extrapolating);
  out += frame.labels(scatter.title, "measured " + scatter.quantity, "predicted " + scatter.quantity);
  const auto outside = [](const ScatterPoint& p) { return p.extrapolating; };
  if (std::ranges::any_of(scatter.points, outside)) out += legend(frame);
  return out + svg::close();
}

}  // namespace sextant::report
