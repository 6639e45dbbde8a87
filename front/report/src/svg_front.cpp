#include "sextant/report/svg_front.h"

#include <algorithm>

#include "sextant/core/text.h"
#include "svg_frame.h"
#include "svg_text.h"

namespace sextant::report {
namespace {

using svg::Frame;
using svg::Point;

// Pixels.
constexpr double kFrontNameFont = 11;
constexpr double kNumberWide = 20;  // of a point, before its name
constexpr double kFrontGap = 8;

Point place(const Frame& frame, const FrontPoint& p) {
  return frame.at(p.time_s, p.cost_usd);
}

// Points of the front carry numbers, the fastest first.
std::string front_line(const Frame& frame, const std::vector<FrontPoint>& points) {
  std::string out;
  for (std::size_t i = 1; i < points.size(); ++i) {
    out += svg::line(place(frame, points[i - 1]), place(frame, points[i]),
                     "stroke=\"" + std::string(svg::kVermilion) + "\" stroke-width=\"1.5\"");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point at = place(frame, points[i]);
    out += svg::circle(at, 7, "fill=\"" + std::string(svg::kVermilion) + "\" stroke=\"#ffffff\"");
    out += svg::text_at({at.x, at.y + 3}, std::to_string(i + 1),
                        "text-anchor=\"middle\" font-size=\"9\" fill=\"#ffffff\"");
  }
  return out;
}

}  // namespace

std::string to_svg(const FrontPlot& plot) {
  std::vector<double> times;
  std::vector<double> costs;
  std::vector<FrontPoint> front;
  for (const FrontPoint& p : plot.points) {
    times.push_back(p.time_s);
    costs.push_back(p.cost_usd);
    if (p.on_front) front.push_back(p);
  }
  std::ranges::sort(front, {}, &FrontPoint::time_s);
  std::vector<std::string> names;
  for (const FrontPoint& p : front) names.push_back(p.label);
  const svg::NameList list(names, kFrontNameFont);
  Frame frame = svg::frame_at_left(axis_for(times, AxisUnit::time), axis_for(costs));
  frame.right = 2 * kFrontGap + kNumberWide + kFrontGap + list.wide() + kFrontGap;
  std::string out =
      svg::open({.width = frame.left + frame.wide + frame.right,
                 .height = frame.top + std::max(frame.high, list.high()) + 64,
                 .title = plot.title,
                 .description = "Cost over time, a dot for each offer. No other offer is both faster and "
                                "cheaper than these: " +
                                join(names, "; ")}) +
      frame.grid();
  for (const auto& p : plot.points) {
    if (!p.on_front) {
      out +=
          svg::circle(place(frame, p), 3, "fill=\"" + std::string(svg::kBlue) + "\" fill-opacity=\"0.45\"");
    }
  }
  const double numbers = frame.left + frame.wide + 2 * kFrontGap + kNumberWide;
  out += front_line(frame, front) +
         list.drawn({numbers + kFrontGap, frame.top + 10}, [&](std::size_t i, double y) {
           return svg::text_at({numbers, y}, std::to_string(i + 1), "text-anchor=\"end\" font-size=\"11\"");
         });
  return out + frame.labels(plot.title, "time of the whole job", "cost, USD") + svg::close();
}

}  // namespace sextant::report
