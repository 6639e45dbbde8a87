#include "sextant/report/svg_front.h"

#include <algorithm>

#include "sextant/report/svg_axis.h"
#include "svg_draw.h"

namespace sextant {
namespace {

using svg::Point;
using svg::px;

// Pixels.
constexpr double kWide = 560;
constexpr double kHigh = 400;
constexpr double kLeft = 80;
constexpr double kTop = 44;
constexpr double kRight = 360;  // room for the names of offers
constexpr double kLine = 16;    // between two names

struct Plane {
  SvgAxis time;
  SvgAxis cost;

  [[nodiscard]] Point at(const FrontPoint& p) const {
    return {kLeft + kWide * time.position(p.time_h), kTop + kHigh * (1 - cost.position(p.cost_usd))};
  }
};

std::string grid(const Plane& plane) {
  std::string out;
  const double bottom = kTop + kHigh;
  for (const auto& tick : plane.time.ticks) {
    const double x = kLeft + kWide * plane.time.position(tick.value);
    out +=
        svg::line({x, kTop}, {x, bottom}, tick.label.empty() ? "stroke=\"#f2f2f2\"" : "stroke=\"#d9d9d9\"");
    if (!tick.label.empty()) out += svg::text_at({x, bottom + 18}, tick.label, "text-anchor=\"middle\"");
  }
  for (const auto& tick : plane.cost.ticks) {
    const double y = kTop + kHigh * (1 - plane.cost.position(tick.value));
    out += svg::line({kLeft, y}, {kLeft + kWide, y},
                     tick.label.empty() ? "stroke=\"#f2f2f2\"" : "stroke=\"#d9d9d9\"");
    if (!tick.label.empty()) out += svg::text_at({kLeft - 8, y + 4}, tick.label, "text-anchor=\"end\"");
  }
  return out;
}

std::string labels(const FrontPlot& plot) {
  const double middle = kLeft + kWide / 2;
  const double centre = kTop + kHigh / 2;
  const std::string turned = "rotate(-90 " + px(20) + " " + px(centre) + ")";
  return svg::text_at({middle, 26}, plot.title, "text-anchor=\"middle\" font-size=\"15\"") +
         svg::text_at({middle, kTop + kHigh + 46}, "time of the whole job, hours", "text-anchor=\"middle\"") +
         svg::text_at({20, centre}, "cost, USD", "text-anchor=\"middle\" transform=\"" + turned + "\"");
}

// Points of the front carry numbers, the fastest first; their names stand beside the plot.
std::string front(const Plane& plane, std::vector<FrontPoint> points) {
  std::erase_if(points, [](const FrontPoint& p) { return !p.on_front; });
  std::ranges::sort(points, {}, &FrontPoint::time_h);
  std::string out;
  for (std::size_t i = 1; i < points.size(); ++i) {
    out += svg::line(plane.at(points[i - 1]), plane.at(points[i]),
                     "stroke=\"" + std::string(svg::kVermilion) + "\" stroke-width=\"1.5\"");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point at = plane.at(points[i]);
    const std::string number = std::to_string(i + 1);
    out += svg::circle(at, 7, "fill=\"" + std::string(svg::kVermilion) + "\"");
    out += svg::text_at({at.x, at.y + 3}, number, "text-anchor=\"middle\" font-size=\"9\" fill=\"#ffffff\"");
    const double y = kTop + 10 + kLine * static_cast<double>(i);
    out += svg::text_at({kLeft + kWide + 34, y}, number, "text-anchor=\"end\" font-size=\"11\"");
    out += svg::text_at({kLeft + kWide + 42, y}, points[i].label, "font-size=\"11\"");
  }
  return out;
}

}  // namespace

std::string to_svg(const FrontPlot& plot) {
  std::vector<double> times;
  std::vector<double> costs;
  for (const auto& p : plot.points) {
    times.push_back(p.time_h);
    costs.push_back(p.cost_usd);
  }
  const Plane plane{axis_for(times), axis_for(costs)};
  std::string out = svg::open(kLeft + kWide + kRight, kTop + kHigh + 64) + grid(plane);
  out += "<rect x=\"" + px(kLeft) + "\" y=\"" + px(kTop) + "\" width=\"" + px(kWide) + "\" height=\"" +
         px(kHigh) + "\" fill=\"none\" stroke=\"#555555\"/>\n";
  for (const auto& p : plot.points) {
    if (!p.on_front) {
      out += svg::circle(plane.at(p), 3, "fill=\"" + std::string(svg::kBlue) + "\" fill-opacity=\"0.45\"");
    }
  }
  return out + front(plane, plot.points) + labels(plot) + svg::close();
}

}  // namespace sextant
