#include "sextant/report/svg_scatter.h"

#include <algorithm>

#include "sextant/report/svg_axis.h"
#include "svg_draw.h"

namespace sextant::report {
namespace {

using svg::line;
using svg::Point;
using svg::px;
using svg::text_at;

// Pixels.
constexpr double kSide = 440;  // of the square plot
constexpr double kLeft = 80;
constexpr double kTop = 44;
constexpr double kWidth = kLeft + kSide + 24;
constexpr double kHeight = kTop + kSide + 64;

double across(const SvgAxis& axis, double value) {
  return kLeft + kSide * axis.position(value);
}
double down(const SvgAxis& axis, double value) {
  return kTop + kSide * (1 - axis.position(value));
}

std::string grid(const SvgAxis& axis) {
  constexpr const char* kMajor = "stroke=\"#d9d9d9\"";
  constexpr const char* kMinor = "stroke=\"#f2f2f2\"";
  const double bottom = kTop + kSide;
  std::string out;
  for (const auto& tick : axis.ticks) {
    const double x = across(axis, tick.value);
    const double y = down(axis, tick.value);
    const char* style = tick.label.empty() ? kMinor : kMajor;
    out += line({x, kTop}, {x, bottom}, style) + line({kLeft, y}, {kLeft + kSide, y}, style);
    if (tick.label.empty()) continue;
    out += text_at({x, bottom + 18}, tick.label, "text-anchor=\"middle\"");
    out += text_at({kLeft - 8, y + 4}, tick.label, "text-anchor=\"end\"");
  }
  return out;
}

std::string dot(Point at, bool hollow) {
  const std::string style = hollow ? "fill=\"none\" stroke=\"" + std::string(svg::kVermilion) + "\""
                                   : "fill=\"" + std::string(svg::kBlue) + "\" fill-opacity=\"0.6\"";
  return svg::circle(at, 3.2, style);
}

std::string frame_and_labels(const Scatter& scatter) {
  const double middle = kLeft + kSide / 2;
  const double centre = kTop + kSide / 2;
  std::string out = "<rect x=\"" + px(kLeft) + "\" y=\"" + px(kTop) + "\" width=\"" + px(kSide) +
                    "\" height=\"" + px(kSide) + "\" fill=\"none\" stroke=\"#555555\"/>\n";
  out += text_at({middle, 26}, scatter.title, "text-anchor=\"middle\" font-size=\"15\"");
  out += text_at({middle, kTop + kSide + 46}, "measured " + scatter.quantity, "text-anchor=\"middle\"");
  const std::string turned = "rotate(-90 " + px(20) + " " + px(centre) + ")";
  out += text_at({20, centre}, "predicted " + scatter.quantity,
                 "text-anchor=\"middle\" transform=\"" + turned + "\"");
  return out;
}

std::string legend() {
  const double x = kLeft + 16;
  const double y = kTop + 18;
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
  const SvgAxis axis = axis_for(values);
  std::string out = svg::open(kWidth, kHeight);
  out += grid(axis);
  out += line({kLeft, kTop + kSide}, {kLeft + kSide, kTop}, "stroke=\"#555555\" stroke-dasharray=\"5 4\"");
  for (const auto& p : scatter.points) {
    out += dot({across(axis, p.measured), down(axis, p.predicted)}, p.extrapolating);
  }
  out += frame_and_labels(scatter);
  const auto outside = [](const ScatterPoint& p) { return p.extrapolating; };
  if (std::ranges::any_of(scatter.points, outside)) out += legend();
  return out + svg::close();
}

}  // namespace sextant::report
