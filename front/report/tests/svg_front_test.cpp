// The picture of the front: numbered points, names beside them, the same bytes twice.
#include "sextant/report/svg_front.h"

#include <gmock/gmock.h>

#include <limits>

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
  EXPECT_THAT(with, HasSubstr(">90 % interval of its time; cost moves along<"));
  drawn.points[0].high_s = std::numeric_limits<double>::infinity();
  const std::string open_end = to_svg(drawn);
  EXPECT_THAT(open_end, Not(HasSubstr("inf")));
  EXPECT_NE(open_end, with);
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
