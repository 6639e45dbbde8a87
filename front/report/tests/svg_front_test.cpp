// The picture of the front: numbered points, names beside them, the same bytes twice.
#include "sextant/report/svg_front.h"

#include <gmock/gmock.h>

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
