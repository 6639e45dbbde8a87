#include "sextant/report/capacity_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sextant::report {
namespace {

ask::CapacityAnswer one_plan() {
  ask::MethodPlan plan{.method = "sextant",
                       .cost = {.nodes = Dollars{3}, .tardiness = Dollars{1}},
                       .bound = Dollars{3.8},
                       .gap = 0.05,
                       .solve = Seconds{0.25}};
  plan.jobs = {
      {.job = "a", .machine = "B", .nodes = {0}, .gpus = 2, .end = Seconds{3600}, .cost = Dollars{4}},
      {.job = "w", .machine = "B", .nodes = {1, 2}, .gpus = 4, .end = Seconds{60}}};
  plan.postponed = {{.job = "b", .cost = Dollars{2}}};
  return {.name = "", .nodes = 3, .jobs = 3, .plans = {plan}};
}

TEST(CapacityReport, JsonHasThePlanInTheObject) {
  const Json json = to_json(capacity_result(one_plan(), true));
  EXPECT_EQ(json["method"], "sextant");
  EXPECT_EQ(json["cost_usd"], 4.0);
  EXPECT_EQ(json["vm_usd"], 3.0);
  EXPECT_EQ(json["tardiness_usd"], 1.0);
  EXPECT_EQ(json["gap"], 0.05);
  EXPECT_EQ(json["solve_s"], 0.25);
  EXPECT_EQ(json["postponed"][0]["job"], "b");
  EXPECT_EQ(json["assignments"][0]["node"], 0);
  EXPECT_EQ(json["assignments"][1]["node"], Json({1, 2}));
  EXPECT_EQ(json["plans"].size(), 1U);
  EXPECT_TRUE(to_json(capacity_result(one_plan(), false))["solve_s"].is_null());
}

TEST(CapacityReport, AVerdictStandsAbove) {
  const Result result = capacity_result(one_plan(), true);
  ASSERT_EQ(result.sections[1].table.notes.size(), 1U);
  EXPECT_THAT(result.sections[1].table.notes.front(),
              testing::HasSubstr("sextant runs 2 of 3 jobs on 3 nodes for 4.00 USD"));
  EXPECT_THAT(result.sections[1].table.notes.front(),
              testing::HasSubstr("no plan is more than 5.0 % cheaper"));
}

}  // namespace
}  // namespace sextant::report
