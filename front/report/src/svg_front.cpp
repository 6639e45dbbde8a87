#include "sextant/report/svg_front.h"

#include <algorithm>

#include "svg_frame.h"

namespace sextant::report {
namespace {

using svg::Frame;
using svg::Point;

// Pixels.
constexpr double kRight = 360;  // room for the names of offers
constexpr double kLine = 16;    // between two names

Point place(const Frame& frame, const FrontPoint& p) {
  return frame.at(p.time_h, p.cost_usd);
}

// Points of the front carry numbers, the fastest first; their names stand beside the plot.
std::string front(const Frame& frame, std::vector<FrontPoint> points) {
  std::erase_if(points, [](const FrontPoint& p) { return !p.on_front; });
  std::ranges::sort(points, {}, &FrontPoint::time_h);
  std::string out;
  for (std::size_t i = 1; i < points.size(); ++i) {
    out += svg::line(place(frame, points[i - 1]), place(frame, points[i]),
                     "stroke=\"" + std::string(svg::kVermilion) + "\" stroke-width=\"1.5\"");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point at = place(frame, points[i]);
    const std::string number = std::to_string(i + 1);
    out += svg::circle(at, 7, "fill=\"" + std::string(svg::kVermilion) + "\"");
    out += svg::text_at({at.x, at.y + 3}, number, "text-anchor=\"middle\" font-size=\"9\" fill=\"#ffffff\"");
    const double y = frame.top + 10 + kLine * static_cast<double>(i);
    out += svg::text_at({frame.left + frame.wide + 34, y}, number, "text-anchor=\"end\" font-size=\"11\"");
    out += svg::text_at({frame.left + frame.wide + 42, y}, points[i].label, "font-size=\"11\"");
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
  const Frame frame{axis_for(times), axis_for(costs)};
  std::string out = svg::open(frame.left + frame.wide + kRight, frame.top + frame.high + 64) + frame.grid();
  for (const auto& p : plot.points) {
    if (!p.on_front) {
      out +=
          svg::circle(place(frame, p), 3, "fill=\"" + std::string(svg::kBlue) + "\" fill-opacity=\"0.45\"");
    }
  }
  return out + front(frame, plot.points) +
         frame.labels(plot.title, "time of the whole job, hours", "cost, USD") + svg::close();
}

}  // namespace sextant::report
