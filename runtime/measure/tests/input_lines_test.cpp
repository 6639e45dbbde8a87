// Lines through throughputs whose law is known, and what is said of them.
#include "input_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "input_design.h"
#include "sextant/core/rng.h"

namespace sextant::measure {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Law = std::function<double(const InputPoint&)>;

std::vector<InputPoint> measured_by(const InputDesign& design, const Law& law) {
  std::vector<InputPoint> points = input_points(design);
  for (std::int64_t repetition = 0; repetition < design.repetitions; ++repetition) {
    for (InputPoint& point : points) point.samples_per_s.push_back(law(point));
  }
  return points;
}

const FactorLine& line_of(const std::vector<FactorLine>& lines, const std::string& factor) {
  const auto found = std::ranges::find(lines, factor, &FactorLine::factor);
  if (found == lines.end()) throw std::out_of_range("no line for " + factor);
  return *found;
}

TEST(InputLines, ALawWithoutNoiseIsFoundExactlyByTheJointRegression) {
  const auto points = measured_by({}, [](const InputPoint& p) {
    return 1000 + 3.0 * static_cast<double>(p.batch) - 2.0 * static_cast<double>(p.batch_count) +
           0.5 * static_cast<double>(p.samples) + 100.0 * static_cast<double>(p.prefetch) +
           400.0 * static_cast<double>(p.cache) + (p.format == "records" ? 250.0 : 0.0);
  });
  const auto joint = joint_factor_lines(points);
  ASSERT_EQ(joint.size(), 6U);
  EXPECT_NEAR(line_of(joint, "format: records").slope, 250, 1e-6);
  EXPECT_NEAR(line_of(joint, "batch").slope, 3, 1e-8);
  EXPECT_NEAR(line_of(joint, "batch count").slope, -2, 1e-8);
  EXPECT_NEAR(line_of(joint, "samples").slope, 0.5, 1e-8);
  EXPECT_NEAR(line_of(joint, "prefetch").slope, 100, 1e-7);
  EXPECT_NEAR(line_of(joint, "cache").slope, 400, 1e-6);
  EXPECT_NEAR(joint.front().intercept, 1000, 1e-6);
  // In a full product factors are not correlated, so that alone each has the same slope.
  for (const FactorLine& alone : single_factor_lines(points)) {
    EXPECT_NEAR(alone.slope, line_of(joint, alone.factor).slope, 1e-6) << alone.factor;
    EXPECT_LE(line_of(joint, alone.factor).p_value, alone.p_value + 1e-12);
  }
}

// By hand, one factor with two repetitions: x 1 1 3 3, y 10 14 20 24. Means 12 and 22 two apart: slope 5,
// intercept 7; residuals -2 2 -2 2, s^2 = 16 / 2 = 8; sum of squares of x about 2 is 4; error sqrt(8 / 4)
// = 1.414; t = 3.536 with two degrees of freedom: p = 1 - t / sqrt(2 + t^2) = 0.0715; t(0.975) = 4.3027: 5
// -+ 6.085.
TEST(InputLines, WorkedExample) {
  std::vector<InputPoint> points(2);
  points[0].prefetch = 1;
  points[0].samples_per_s = {10, 14};
  points[1].prefetch = 3;
  points[1].samples_per_s = {20, 24};
  const auto lines = single_factor_lines(points);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].factor, "prefetch");
  EXPECT_NEAR(lines[0].slope, 5, 1e-12);
  EXPECT_NEAR(lines[0].intercept, 7, 1e-12);
  const double t = 5 / std::sqrt(2.0);
  EXPECT_NEAR(lines[0].p_value, 1 - t / std::sqrt(2 + t * t), 1e-9);
  EXPECT_NEAR(lines[0].slope_interval.low, 5 - 4.302653 * std::sqrt(2.0), 1e-5);
  EXPECT_EQ(lines[0].reading,
            "these data do not show whether reading ahead changes throughput (p = 0.0715); a change between "
            "-1.08 and "
            "11.1 samples/s for each batch read ahead is compatible with them");
  EXPECT_TRUE(joint_factor_lines(points).empty());
}

TEST(InputLines, RisesAndFallsAreSaidWithTheirInterval) {
  Rng rng(1);
  const Law law = [&](const InputPoint& p) {
    return 5000 - 20 * static_cast<double>(p.batch) + 0.01 * rng.normal();
  };
  const auto points = measured_by({.formats = {"records"},
                                   .batches = {8, 16, 32},
                                   .batch_counts = {4},
                                   .samples = {64},
                                   .prefetch = {0},
                                   .cache = {0}},
                                  law);
  const auto lines = single_factor_lines(points);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0].reading,
              StartsWith("throughput falls by 20 samples/s for each sample of the batch (95 % "
                         "interval of the change -20 to -20, p < 0.001)"));
}

// Repetitions of a point are alike in what the other factors do; counted as rows of their own they would make
// chance look small. So: ten equal repetitions say no more than one.
TEST(InputLines, RepetitionsDoNotMakeUpForPoints) {
  const Law law = [](const InputPoint& p) {
    const std::int64_t odd = (p.batch / 16 + p.batch_count / 8 + p.samples / 256 + p.prefetch + p.cache) % 3;
    return 1000.0 + 100.0 * static_cast<double>(odd);
  };
  InputDesign once;
  once.repetitions = 1;
  InputDesign often;
  often.repetitions = 10;
  const auto few = single_factor_lines(measured_by(once, law));
  const auto many = single_factor_lines(measured_by(often, law));
  ASSERT_EQ(few.size(), many.size());
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_NEAR(few[i].p_value, many[i].p_value, 1e-9);
}

// Where nothing has an effect, p is below 0.05 once in twenty, and intervals hold zero else.
TEST(InputLines, WithoutEffectsFewAreClaimed) {
  Rng rng(7);
  int claims = 0;
  int lines = 0;
  for (int round = 0; round < 100; ++round) {
    const auto points = measured_by({}, [&](const InputPoint&) { return 1000 + 50 * rng.normal(); });
    for (const FactorLine& line : joint_factor_lines(points)) {
      ++lines;
      claims += line.p_value < 0.05 ? 1 : 0;
      EXPECT_EQ(line.p_value < 0.05, !line.slope_interval.contains(0));
      EXPECT_THAT(line.reading, Not(HasSubstr("no effect")));
    }
  }
  ASSERT_EQ(lines, 600);
  EXPECT_GT(claims, 10);  // 30 expected, deviation 5.3
  EXPECT_LT(claims, 50);
}

TEST(InputLines, FormatsAreComparedWithTheFirst) {
  const auto points =
      measured_by({.formats = {"images", "records", "records-zlib"}}, [](const InputPoint& p) {
        if (p.format == "images") return 100.0;
        return p.format == "records" ? 900.0 : 300.0;
      });
  const auto lines = single_factor_lines(points);
  EXPECT_NEAR(line_of(lines, "format: records").slope, 800, 1e-9);
  EXPECT_NEAR(line_of(lines, "format: records-zlib").slope, 200, 1e-9);
  EXPECT_THAT(line_of(lines, "format: records").reading, HasSubstr("with records instead of images"));
  const auto joint = joint_factor_lines(points);
  EXPECT_NEAR(line_of(joint, "format: records").slope, 800, 1e-9);
  EXPECT_NEAR(line_of(joint, "format: records-zlib").slope, 200, 1e-9);
}

// What multiplies: eight times with a cache, twice with records, a tenth less from 16 to 64 samples.
TEST(InputLines, RatiosAreFoundWhereSumsDrownThem) {
  Rng rng(2);
  const auto points = measured_by({}, [&](const InputPoint& p) {
    return 1000 * (p.cache == 1 ? 8.0 : 1.0) * (p.format == "records" ? 2.0 : 1.0) *
           (p.batch == 64 ? 0.9 : 1.0) * std::exp(0.02 * rng.normal());
  });
  const auto ratios = factor_ratios(points);
  ASSERT_EQ(ratios.size(), 6U);
  const std::map<std::string, double> expected{{"format: records", 2}, {"batch", 0.9},  {"batch count", 1},
                                               {"samples", 1},         {"prefetch", 1}, {"cache", 8}};
  for (const FactorRatio& ratio : ratios) {
    EXPECT_NEAR(ratio.ratio / expected.at(ratio.factor), 1, 0.02) << ratio.factor;
    EXPECT_LT(ratio.ratio_interval.high / ratio.ratio_interval.low, 1.04);
    EXPECT_TRUE(ratio.ratio_interval.contains(ratio.ratio));
  }
  EXPECT_THAT(ratios[0].reading,
              testing::MatchesRegex("records against images: (2|1\\.99|2\\.01) times the throughput.*"));
  EXPECT_EQ(ratios[1].low, "16");
  EXPECT_EQ(ratios[1].high, "64");
  EXPECT_THAT(ratios[5].reading, StartsWith("cache 1 against 0: "));
}

TEST(InputLines, TooFewMeasurementsClaimNothing) {
  EXPECT_TRUE(single_factor_lines({}).empty());
  EXPECT_TRUE(factor_ratios({}).empty());
  std::vector<InputPoint> points(2);
  points[0].cache = 0;
  points[1].cache = 1;
  EXPECT_TRUE(single_factor_lines(points).empty());  // neither was measured
  points[0].samples_per_s = {1};
  EXPECT_TRUE(single_factor_lines(points).empty());  // one level
  points[1].samples_per_s = {9};
  const auto lines = single_factor_lines(points);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].p_value, 1);
  EXPECT_THAT(lines[0].reading, HasSubstr("nothing shows what chance does"));
  ASSERT_EQ(factor_ratios(points).size(), 1U);
  EXPECT_NEAR(factor_ratios(points)[0].ratio, 9, 1e-12);
  EXPECT_THAT(factor_ratios(points)[0].reading, HasSubstr("nothing shows what chance does"));
}

}  // namespace
}  // namespace sextant::measure
