#include "sextant/report/svg_scatter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sextant/report/svg_axis.h"

namespace sextant::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> labels(const SvgAxis& axis) {
  std::vector<std::string> out;
  for (const auto& tick : axis.ticks) {
    if (!tick.label.empty()) out.push_back(tick.label);
  }
  return out;
}

TEST(SvgAxis, ZeroHasNoSign) {
  const SvgAxis axis = linear_axis(-0.1, 4);
  ASSERT_FALSE(axis.ticks.empty());
  EXPECT_EQ(axis.ticks.front().label, "0");
}

TEST(SvgAxis, PositiveValuesGetALogarithmicScale) {
  const SvgAxis axis = axis_for(std::vector<double>{0.01, 1000});
  EXPECT_EQ(axis.scale, AxisScale::log);
  EXPECT_THAT(labels(axis), ElementsAre("0.01", "0.1", "1", "10", "100", "1,000"));
  EXPECT_NEAR(axis.position(axis.low), 0, 1e-12);
  EXPECT_NEAR(axis.position(axis.high), 1, 1e-12);
  EXPECT_NEAR(axis.position(10), (axis.position(1) + axis.position(100)) / 2, 1e-12);
}

TEST(SvgAxis, TicksStayReadableForAnyRange) {
  EXPECT_THAT(labels(axis_for(std::vector<double>{1, 30})), ElementsAre("1", "2", "5", "10", "20"));
  EXPECT_THAT(labels(axis_for(std::vector<double>{100, 130})), ElementsAre("100", "110", "120", "130"));
  EXPECT_THAT(labels(axis_for(std::vector<double>{-1, 0, 2})), ElementsAre("-1", "0", "1", "2"));
  EXPECT_GE(labels(axis_for(std::vector<double>{5, 5})).size(), 1U);
  EXPECT_GE(labels(axis_for(std::vector<double>{0, 0})).size(), 1U);
  EXPECT_LE(labels(axis_for(std::vector<double>{1e-30, 1e30})).size(), 12U);
}

TEST(SvgAxis, LargeNumbersHaveAPrefix) {
  EXPECT_THAT(labels(linear_axis(0, 1.2e6)), ElementsAre("0", "0.5 M", "1.0 M"));
  EXPECT_THAT(labels(linear_axis(0, 45000)), ElementsAre("0", "10 k", "20 k", "30 k", "40 k"));
  EXPECT_THAT(labels(axis_for(std::vector<double>{100, 1e7})),
              ElementsAre("100", "1 k", "10 k", "100 k", "1 M", "10 M"));
}

TEST(SvgAxis, ValuesFarFromZeroCountFromARoundOne) {
  const SvgAxis axis = linear_axis(1000000, 1000000.05);
  EXPECT_EQ(axis.from, "1,000,000");
  EXPECT_THAT(labels(axis), ElementsAre("+0", "+0.01", "+0.02", "+0.03", "+0.04", "+0.05"));
}

TEST(SvgAxis, TimesHaveTicksAtRoundMinutesHoursAndDays) {
  const auto times = [](double high) { return labels(linear_axis(0, high, AxisUnit::time)); };
  EXPECT_THAT(times(0.9), ElementsAre("0", "200 ms", "400 ms", "600 ms", "800 ms"));
  EXPECT_THAT(times(2.2), ElementsAre("0", "500 ms", "1 s", "1.5 s", "2 s"));
  EXPECT_THAT(times(45), ElementsAre("0", "10 s", "20 s", "30 s", "40 s"));
  EXPECT_THAT(times(2000), ElementsAre("0", "10 min", "20 min", "30 min"));
  EXPECT_THAT(times(26 * 3600), ElementsAre("0", "6 h", "12 h", "18 h", "24 h"));
  EXPECT_THAT(times(12 * 86400), ElementsAre("0", "5 d", "10 d"));
}

// What ends in _per_s is a rate: 5,000 samples/s are no hours.
TEST(SvgAxis, OnlyTimesAreTimes) {
  EXPECT_EQ(unit_of("time_s"), AxisUnit::time);
  EXPECT_EQ(unit_of("samples_per_s"), AxisUnit::number);
  EXPECT_EQ(unit_of("images_per_s"), AxisUnit::number);
  EXPECT_EQ(unit_of("loss"), AxisUnit::number);
}

TEST(SvgAxis, EqualStepsOfTimeHaveOneUnit) {
  for (const AxisTick& tick : linear_axis(0, 2.2 * 86400, AxisUnit::time).ticks) {
    EXPECT_TRUE(tick.label == "0" || tick.label.ends_with(" h")) << tick.label;
  }
}

TEST(SvgAxis, TimesOverDecadesHaveMilestones) {
  EXPECT_THAT(labels(axis_for(std::vector<double>{0.01, 2e6}, AxisUnit::time)),
              ElementsAre("10 ms", "100 ms", "1 s", "10 s", "1 min", "10 min", "1 h", "6 h", "1 d", "10 d"));
  EXPECT_THAT(labels(axis_for(std::vector<double>{3000, 90000}, AxisUnit::time)),
              ElementsAre("1 h", "2 h", "3 h", "6 h", "12 h", "1 d"));
}

TEST(SvgAxis, ValuesAtOrBelowZeroGetALinearScale) {
  const SvgAxis axis = axis_for(std::vector<double>{0, 10});
  EXPECT_EQ(axis.scale, AxisScale::linear);
  EXPECT_NEAR(axis.position(5), 0.5, 1e-12);
}

TEST(SvgScatter, ARowOnTheLineStandsOnTheDiagonal) {
  const std::string svg = to_svg({"title", "time_s", {{1, 1, false}, {10, 10, false}}});
  // 440 pixels square from (80, 44): the centre of the diagonal's ends is as far from both sides.
  EXPECT_THAT(svg, HasSubstr("<line x1=\"80.00\" y1=\"484.00\" x2=\"520.00\" y2=\"44.00\""));
  const SvgAxis axis = axis_for(std::vector<double>{1, 10});
  char dot[80];
  std::snprintf(dot, sizeof dot, "<circle cx=\"%.2f\" cy=\"%.2f\"", 80 + 440 * axis.position(10),
                44 + 440 * (1 - axis.position(10)));
  EXPECT_THAT(svg, HasSubstr(dot));
  EXPECT_THAT(svg, HasSubstr(">measured time_s</text>"));
  EXPECT_THAT(svg, HasSubstr(">predicted time_s</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("extrapolating")));
}

TEST(SvgScatter, ExtrapolatedRowsAreHollowAndExplained) {
  const std::string svg = to_svg({"t", "q", {{1, 2, true}, {3, 3, false}}});
  EXPECT_THAT(svg, HasSubstr("fill=\"none\" stroke=\"#C25200\""));
  EXPECT_THAT(svg, HasSubstr("outside: extrapolating"));
}

TEST(SvgScatter, NamesFromFilesAreEscapedAndBytesRepeat) {
  const Scatter scatter{"a<b & \"c\"", "x>y", {{1, 2, false}}};
  EXPECT_THAT(to_svg(scatter), HasSubstr("a&lt;b &amp; \"c\""));
  EXPECT_THAT(to_svg(scatter), HasSubstr("measured x&gt;y"));
  EXPECT_EQ(to_svg(scatter), to_svg(scatter));
}

}  // namespace
}  // namespace sextant::report
