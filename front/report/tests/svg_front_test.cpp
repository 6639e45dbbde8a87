// The picture of the front: numbered points, names beside them, the same bytes twice.
#include "sextant/report/svg_front.h"

#include <gmock/gmock.h>

#include <limits>
#include <set>

namespace sextant::report {
namespace {

using testing::HasSubstr;
using testing::Not;

FrontPlot plot() {
  return {.title = "a < b",
          .points = {{10, 30, true, "slow & cheap"}, {1, 90, true, "fast"}, {12, 95, false, "beaten"}}};
}

TEST(SvgFront, NumbersTheFrontFromTheFastest) {
  const std::string svg = to_svg(plot());
  EXPECT_LT(svg.find(">fast<"), svg.find(">slow &amp; cheap<"));
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, Not(HasSubstr("beaten")));
}

TEST(SvgFront, DrawsTheIntervalsOfTheFrontAndSaysWhatIsWhat) {
  FrontPlot drawn = plot();
  const std::string without = to_svg(drawn);
  EXPECT_THAT(without, HasSubstr(">no other offer is both faster and cheaper<"));
  EXPECT_THAT(without, HasSubstr(">other offers<"));
  EXPECT_THAT(without, Not(HasSubstr("interval")));
  drawn.points[0].low_s = 5;
  drawn.points[0].high_s = 20;
  const std::string with = to_svg(drawn);
  EXPECT_THAT(with, HasSubstr(">90 % interval of its time; cost follows<"));
  drawn.points[0].high_s = std::numeric_limits<double>::infinity();
  const std::string open_end = to_svg(drawn);
  EXPECT_THAT(open_end, Not(HasSubstr("inf")));
  EXPECT_NE(open_end, with);
}

TEST(SvgFront, WhatWasAskedForIsDrawn) {
  FrontPlot drawn = plot();
  EXPECT_THAT(to_svg(drawn), Not(HasSubstr(">deadline<")));
  drawn.deadline_s = 11;
  drawn.budget_usd = 99;
  EXPECT_THAT(to_svg(drawn), testing::AllOf(HasSubstr(">deadline<"), HasSubstr(">budget<")));
}

// Two points of the front at one place: the number of the second stands above.
TEST(SvgFront, NumbersDoNotLieUponEachOther) {
  FrontPlot drawn = plot();
  drawn.points.push_back({10.01, 29.99, true, "a twin"});
  const std::string svg = to_svg(drawn);
  std::set<std::string> places;
  std::size_t numbers = 0;
  for (std::size_t at = svg.find("r=\"7"); at != std::string::npos; at = svg.find("r=\"7", at + 1)) {
    const std::size_t from = svg.rfind("<circle", at);
    places.insert(svg.substr(from + 12, 9));
    ++numbers;
  }
  EXPECT_GE(numbers, 4U);
}

TEST(SvgFront, GivesTheSameBytesTwice) {
  EXPECT_EQ(to_svg(plot()), to_svg(plot()));
}

TEST(SvgFront, OnePointIsAPictureToo) {
  const std::string svg = to_svg(FrontPlot{.title = "one", .points = {{2, 3, true, "only"}}});
  EXPECT_THAT(svg, HasSubstr(">only<"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace sextant::report
