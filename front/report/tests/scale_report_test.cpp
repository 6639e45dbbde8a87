// Machines for a deadline as a table.
#include "sextant/report/scale_report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

plan::ScaleCurve curve() {
  plan::ScaleCurve c{.samples = 1000, .points = {}};
  for (int machines = 1; machines <= 3; ++machines) {
    plan::ScalePoint point;
    point.offer.pool = {.type = "t4", .machine = "cloud/m", .gpus = 4 * machines, .per_node = 4};
    point.offer.time = (5.0 - machines) * kHour;
    c.points.push_back(point);
  }
  c.enough = 1;
  c.last_paying = 1;
  c.fastest = 2;
  return c;
}

std::string shown(const Table& table, std::size_t row, const std::string& key) {
  const auto found = std::ranges::find(table.columns, key, &Column::key);
  return table.rows.at(row).at(static_cast<std::size_t>(found - table.columns.begin())).shown;
}

TEST(ScaleReport, HasALineForEachSize) {
  const ask::ScaleAnswers answer{
      .request = {.machine = "cloud/m", .samples = {1000, 5}, .deadline = 3 * kHour},
      .scale = {.curves = {curve(), {.samples = 5, .points = {}}}, .refusals = {}}};
  const Result result = scale_result(answer);
  const Table& table = result.sections.at(0).table;
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(shown(table, 0, "machines"), "2");
  EXPECT_EQ(shown(table, 0, "pays_up_to"), "2");
  EXPECT_EQ(shown(table, 0, "fastest_with"), "3");
  EXPECT_EQ(shown(table, 1, "machines"), "") << "no number of machines is possible";
  EXPECT_EQ(result.sections.at(kScaleCurve).table.rows.size(), 3U);
  EXPECT_FALSE(answer.feasible());
  EXPECT_EQ(scale_warnings(answer), std::vector<std::string>{"nothing fits: "});
}

TEST(ScaleReport, SaysOnEightyColumnsHowFarMachinesPay) {
  const ask::ScaleAnswers answer{.request = {.machine = "cloud/m", .samples = {1000}, .deadline = 3 * kHour},
                                 .scale = {.curves = {curve()}, .refusals = {}}};
  std::ostringstream out;
  render_screen(out, scale_result(answer).sections.at(0).table, {.color = false, .width = 80});
  for (const char* word : {"pays", "fastest", "pays up to: the most machines"}) {
    EXPECT_NE(out.str().find(word), std::string::npos) << word << "\n" << out.str();
  }
}

TEST(ScaleReport, TheCurveAloneComesFirst) {
  const ask::ScaleAnswers answer{.request = {.machine = "cloud/m", .samples = {1000}},
                                 .scale = {.curves = {curve()}, .refusals = {}}};
  const Result result = only(scale_result(answer), kScaleCurve);
  EXPECT_EQ(result.sections.at(0).key, "curve");
  EXPECT_TRUE(result.sections.at(0).shown);
  EXPECT_EQ(result.sections.at(1).key, "sizes");
  EXPECT_FALSE(result.sections.at(1).shown);
}

}  // namespace
}  // namespace sextant::report
