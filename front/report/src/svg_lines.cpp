#include "sextant/report/svg_lines.h"

#include <algorithm>
#include <array>

#include "svg_frame.h"

namespace sextant::report {
namespace {

// Pixels.
constexpr double kLegendWide = 240;  // room for the names
constexpr double kLegendLine = 18;   // between two names
constexpr double kSample = 34;       // of the line, before its name

// Okabe and Ito (2008), without yellow, which is faint on white.
constexpr std::array<const char*, 7> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                 "#E69F00", "#56B4E9", "#000000"};
constexpr std::array<const char*, 4> kDashes = {"none", "8 3", "2 3", "9 3 2 3"};

std::string style_of(std::size_t index) {
  // Seven and four have no common divisor: 28 different lines.
  const std::string colour = kColours[index % kColours.size()];
  const std::string dash = kDashes[index % kDashes.size()];
  return "fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"1.6\" stroke-dasharray=\"" + dash + "\"";
}

SvgAxis x_axis(const LinePlot& plot) {
  std::vector<double> all;
  for (const LineSeries& series : plot.series) all.insert(all.end(), series.x.begin(), series.x.end());
  const auto [least, most] = std::ranges::minmax(all);
  if (plot.x_scale == AxisScale::log && least > 0) return axis_for(all);
  return linear_axis(least, most > least ? most : least + 1);
}

std::string polyline(const svg::Frame& frame, const LineSeries& series, const std::string& style) {
  std::string points;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const svg::Point at = frame.at(series.x[i], series.y[i]);
    points += svg::px(at.x) + "," + svg::px(at.y) + " ";
  }
  return "<polyline points=\"" + points + "\" " + style + "/>\n";
}

}  // namespace

std::string to_svg(const LinePlot& plot) {
  const svg::Frame frame{x_axis(plot), linear_axis(plot.y_low, plot.y_high)};
  std::string out =
      svg::open(frame.left + frame.wide + kLegendWide, frame.top + frame.high + 64) + frame.grid();
  const double names = frame.left + frame.wide + 16;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const std::string style = style_of(i);
    out += polyline(frame, plot.series[i], style);
    const double y = frame.top + 10 + kLegendLine * static_cast<double>(i);
    out += svg::line({names, y - 4}, {names + kSample, y - 4}, style);
    out += svg::text_at({names + kSample + 8, y}, plot.series[i].name, "font-size=\"12\"");
  }
  return out + frame.labels(plot.title, plot.x_label, plot.y_label) + svg::close();
}

}  // namespace sextant::report
