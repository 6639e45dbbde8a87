#include "sextant/report/svg_front.h"

#include <algorithm>
#include <cmath>

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

constexpr double kBetweenNumbers = 15;
constexpr double kCapHigh = 5;  // half of the stroke at the end of an interval
constexpr const char* kDotStyle = "fill-opacity=\"0.45\"";

std::string bar_style() {
  return "stroke=\"" + std::string(svg::kVermilion) + "\" stroke-width=\"1\"";
}
std::string numbered_point(Point at, const std::string& number) {
  return svg::circle(at, 7, "fill=\"" + std::string(svg::kVermilion) + "\" stroke=\"#ffffff\"") +
         svg::text_at({at.x, at.y + 3}, number, "text-anchor=\"middle\" font-size=\"9\" fill=\"#ffffff\"");
}
std::string offer_dot(Point at) {
  return svg::circle(at, 3, "fill=\"" + std::string(svg::kBlue) + "\" " + kDotStyle);
}
std::string end_stroke(Point at) {
  return svg::line({at.x, at.y - kCapHigh}, {at.x, at.y + kCapHigh}, bar_style());
}

bool has_interval(const FrontPoint& p) {
  return p.low_s > 0 && p.high_s > 0;
}

// From the lower end of the time to the upper one; without an upper end, to the edge.
std::string interval_bar(const Frame& frame, const FrontPoint& p) {
  if (!has_interval(p)) return "";
  const Point low = frame.at(p.low_s, p.cost_usd);
  const bool open_end = !std::isfinite(p.high_s);
  const Point high = open_end ? Point{frame.left + frame.wide, low.y} : frame.at(p.high_s, p.cost_usd);
  return svg::line(low, high, bar_style()) + end_stroke(low) + (open_end ? "" : end_stroke(high));
}

// Points of the front carry numbers, the fastest first.
std::string front_line(const Frame& frame, const std::vector<FrontPoint>& points) {
  std::string out;
  for (std::size_t i = 1; i < points.size(); ++i) {
    out += svg::line(place(frame, points[i - 1]), place(frame, points[i]),
                     "stroke=\"" + std::string(svg::kVermilion) + "\" stroke-width=\"1.5\"");
  }
  for (const FrontPoint& point : points) out += interval_bar(frame, point);
  Point last{-kBetweenNumbers, -kBetweenNumbers};
  for (std::size_t i = 0; i < points.size(); ++i) {
    // A number that would lie upon the one before it stands above its point, on a stalk.
    const Point at = place(frame, points[i]);
    Point number = at;
    while (std::hypot(number.x - last.x, number.y - last.y) < kBetweenNumbers)
      number.y -= kBetweenNumbers / 2;
    if (number.y < at.y) out += svg::line(at, number, bar_style());
    out += numbered_point(number, std::to_string(i + 1));
    last = number;
  }
  return out;
}

constexpr const char* kLimitStyle = "stroke=\"#555555\" stroke-dasharray=\"6 4\"";

// What was asked for: nothing right of the deadline or above the budget.
std::string limit_lines(const Frame& frame, const FrontPlot& plot) {
  std::string out;
  if (plot.deadline_s > 0) {
    const Point foot = frame.at(plot.deadline_s, frame.y.low);
    out += svg::line(foot, {foot.x, frame.top}, kLimitStyle) +
           svg::text_at({foot.x - 4, frame.top + 12}, "deadline", "text-anchor=\"end\" font-size=\"11\"");
  }
  if (plot.budget_usd > 0) {
    const Point left = frame.at(frame.x.low, plot.budget_usd);
    out += svg::line(left, {frame.left + frame.wide, left.y}, kLimitStyle) +
           svg::text_at({frame.left + 6, left.y - 4}, "budget", "font-size=\"11\"");
  }
  return out;
}

// What the shapes mean; the middle one where some point has an interval.
class FrontLegend {
 public:
  explicit FrontLegend(const std::vector<FrontPoint>& points)
      : intervals_(std::ranges::any_of(points, has_interval)), list_(names(intervals_), kFrontNameFont) {}

  [[nodiscard]] double wide() const { return list_.wide(); }
  [[nodiscard]] double high() const { return list_.high(); }
  [[nodiscard]] std::string drawn(Point at) const {
    return list_.drawn(at, [&](std::size_t i, double y) {
      const Point middle{at.x - kFrontGap - kNumberWide / 2, y - 4};
      if (i == 0) return numbered_point(middle, "n");
      if (i == 2 || !intervals_) return offer_dot(middle);
      const Point left{middle.x - kNumberWide / 2, middle.y};
      const Point right{middle.x + kNumberWide / 2, middle.y};
      return svg::line(left, right, bar_style()) + end_stroke(left) + end_stroke(right);
    });
  }

 private:
  static std::vector<std::string> names(bool intervals) {
    std::vector<std::string> all = {"no other offer is both faster and cheaper"};
    if (intervals) all.emplace_back("90 % interval of its time; cost follows");
    all.emplace_back("other offers");
    return all;
  }

  bool intervals_;
  svg::NameList list_;
};

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
  if (plot.deadline_s > 0) times.push_back(plot.deadline_s);
  if (plot.budget_usd > 0) costs.push_back(plot.budget_usd);
  std::ranges::sort(front, {}, &FrontPoint::time_s);
  std::vector<std::string> names;
  for (const FrontPoint& p : front) {
    names.push_back(p.label);
    if (!has_interval(p)) continue;
    times.push_back(p.low_s);
    if (std::isfinite(p.high_s)) times.push_back(p.high_s);
  }
  const svg::NameList list(names, kFrontNameFont);
  const FrontLegend legend(front);
  Frame frame = svg::frame_at_left(axis_for(times, AxisUnit::time), axis_for(costs));
  frame.right = 2 * kFrontGap + kNumberWide + kFrontGap + std::max(list.wide(), legend.wide()) + kFrontGap;
  const double beside = list.high() + 2 * kFrontGap + legend.high();
  std::string out =
      svg::open({.width = frame.left + frame.wide + frame.right,
                 .height = frame.top + std::max(frame.high, beside) + 64,
                 .title = plot.title,
                 .description = "Cost over time, a dot for each offer. No other offer is both faster and "
                                "cheaper than these: " +
                                join(names, "; ")}) +
      frame.grid();
  for (const auto& p : plot.points) {
    if (!p.on_front) out += offer_dot(place(frame, p));
  }
  out += limit_lines(frame, plot);
  const double numbers = frame.left + frame.wide + 2 * kFrontGap + kNumberWide;
  out +=
      front_line(frame, front) +
      list.drawn(
          {numbers + kFrontGap, frame.top + 10},
          [&](std::size_t i, double y) {
            return svg::text_at({numbers, y}, std::to_string(i + 1), "text-anchor=\"end\" font-size=\"11\"");
          }) +
      legend.drawn({numbers + kFrontGap, frame.top + 10 + list.high() + 2 * kFrontGap});
  return out + frame.labels(plot.title, "time of the whole job", "cost, USD") + svg::close();
}

}  // namespace sextant::report
