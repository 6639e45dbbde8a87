// Advice as a table and as JSON.
#include "sextant/report/advice_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace sextant {
namespace {

using testing::HasSubstr;

const Machine& machine() {
  static const Machine one = [] {
    Machine m;
    m.id = "cloud/m";
    m.gpu = "t4";
    m.gpu_count = 4;
    return m;
  }();
  return one;
}

Advice advice() {
  Advice a;
  for (int i = 1; i <= 4; ++i) {
    Offer offer;
    offer.machine = &machine();
    offer.machines = i;
    offer.time = (5.0 - i) * kHour;
    offer.time_high = 2 * offer.time;
    offer.cost = Dollars{10.0 * i};
    a.ranked.push_back({offer, i % 2 == 0});
  }
  a.reason = "it is so";
  a.cautions = {"one"};
  a.would_change = {"another"};
  return a;
}

TEST(AdviceTable, ShowsTheBestAndTheFront) {
  const Table table = advice_table(advice(), 1);
  ASSERT_EQ(table.rows.size(), 3U) << "the first, and the second and fourth, which are on the front";
  EXPECT_EQ(table.rows[0][3].shown, "4");
  EXPECT_THAT(table.notes, testing::Contains("First: it is so."));
  EXPECT_THAT(table.notes, testing::Contains("Mind: one."));
  EXPECT_EQ(advice_table(advice(), 0).rows.size(), 4U);
}

TEST(AdviceJson, HasUnitsAndLimits) {
  const Offers offers{
      .list = {}, .refusals = {{Limit::memory, 7, "m needs more", 1.5}}, .configurations = 11};
  const Json json = to_json(advice(), offers);
  EXPECT_EQ(json.at("offers").at(1).at("total_usd"), 20.0);
  EXPECT_EQ(json.at("refusals").at(0).at("limit"), "memory");
  EXPECT_EQ(json.at("configurations"), 11);
  EXPECT_EQ(refusals_text(offers.refusals), "memory 7 (m needs more)");
}

TEST(StrategiesText, SeparatesWhatCannotBe) {
  const std::vector<StrategyVerdict> verdicts = {
      {.strategy = "data", .step = Seconds{0.1}},
      {.strategy = "tensor", .limit = Limit::shape, .reason = "no heads"}};
  EXPECT_EQ(strategies_text(verdicts), "data 100 ms; not tensor (shape: no heads)");
  EXPECT_TRUE(to_json(verdicts).at(1).at("iteration_s").is_null());
}

ScaleCurve curve() {
  ScaleCurve c{.samples = 1000, .points = {}};
  for (int machines = 1; machines <= 3; ++machines) {
    ScalePoint point;
    point.offer = advice().ranked[static_cast<std::size_t>(machines - 1)].offer;
    c.points.push_back(point);
  }
  c.enough = 1;
  c.last_paying = 1;
  c.fastest = 2;
  return c;
}

TEST(ScaleTable, HasALineForEachSize) {
  ScaleAnswer answer;
  answer.curves = {curve(), {.samples = 5, .points = {}}};
  const Table table =
      scale_table(answer, {.machine = "cloud/m", .samples = {1000, 5}, .deadline = 3 * kHour});
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][1].shown, "2");
  EXPECT_EQ(table.rows[0][9].shown, "2");
  EXPECT_EQ(table.rows[0][10].shown, "3");
  EXPECT_EQ(table.rows[1][1].shown, "") << "no number of machines is possible";
  EXPECT_EQ(curve_table(answer).rows.size(), 3U);
}

}  // namespace
}  // namespace sextant
