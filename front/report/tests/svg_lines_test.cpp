#include "sextant/report/svg_lines.h"

#include <gmock/gmock.h>

#include <set>

#include "count_of.h"

namespace sextant::report {
namespace {

LinePlot plot_with(std::size_t lines) {
  LinePlot plot{.title = "T", .x_label = "x", .y_label = "y"};
  for (std::size_t i = 0; i < lines; ++i) {
    plot.series.push_back({.name = "line " + std::to_string(i), .x = {0, 1, 2}, .y = {0, 0.5, 1}});
  }
  return plot;
}

TEST(SvgLines, EveryLineIsDrawnAndNamed) {
  const std::string svg = to_svg(plot_with(3));
  EXPECT_EQ(count_of(svg, "<polyline"), 3U);
  EXPECT_THAT(svg, testing::HasSubstr(">line 2</text>"));
}

// From the lower left corner of the frame (80, 444) to the upper right one (640, 44).
TEST(SvgLines, PointsStandWhereTheAxesSay) {
  EXPECT_THAT(to_svg(plot_with(1)),
              testing::HasSubstr("points=\"80.00,444.00 360.00,244.00 640.00,44.00 \""));
}

TEST(SvgLines, LogarithmicAxis) {
  LinePlot plot = plot_with(1);
  plot.x_scale = AxisScale::log;
  plot.series[0].x = {1, 100, 10000};
  plot.series[0].y = {0.5, 0.5, 0.5};
  EXPECT_THAT(to_svg(plot), testing::HasSubstr("360.00,244.00"));  // 100 is the middle of 1..10,000
}

TEST(SvgLines, TwentyLinesAllLookDifferent) {
  const std::string svg = to_svg(plot_with(20));
  std::set<std::string> styles;
  for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) {
    const std::size_t from = svg.find("stroke=", at);
    styles.insert(svg.substr(from, svg.find("/>", from) - from));
  }
  EXPECT_EQ(styles.size(), 20U);
}

TEST(SvgLines, OnePoint) {
  LinePlot plot = plot_with(1);
  plot.series[0].x = {5};
  plot.series[0].y = {1};
  EXPECT_THAT(to_svg(plot), testing::Not(testing::HasSubstr("nan")));
}

}  // namespace
}  // namespace sextant::report
