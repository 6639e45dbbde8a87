#include "sextant/report/capacity_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "svg_layout.h"

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

TEST(CapacityReport, ThePictureShowsJobsOnTheirNodes) {
  ask::CapacityAnswer answer = one_plan();
  ask::MethodPlan& plan = answer.plans.front();
  plan.node_gpus = {2, 2, 2};
  plan.jobs[0].node_gpus = {2};
  plan.jobs[0].due = Seconds{1800};
  plan.jobs[0].tardiness = Seconds{1800};
  plan.jobs[1].node_gpus = {2, 2};
  plan.jobs[1].late_end = Seconds{90};
  const std::string picture = capacity_chart(answer);
  EXPECT_THAT(test::layout_faults(picture), testing::IsEmpty());
  EXPECT_THAT(picture, testing::HasSubstr("a: 2 GPUs, late"));
  EXPECT_THAT(picture, testing::HasSubstr("node 2: B"));
  EXPECT_THAT(picture, testing::HasSubstr("sextant: 4.00 USD; b waits</text>"));
  EXPECT_THAT(picture, testing::HasSubstr(">B</text>")) << "beside a bar that is too short for it";
  EXPECT_THAT(picture, testing::HasSubstr(">its due date</text>"));
  EXPECT_THAT(picture, testing::HasSubstr(">its end at the latest</text>"));
}

TEST(CapacityReport, AVerdictStandsAbove) {
  const Result result = capacity_result(one_plan(), true);
  ASSERT_EQ(result.sections[1].table.notes.size(), 2U);
  EXPECT_THAT(result.sections[1].table.notes.front(),
              testing::HasSubstr("sextant runs 2 of 3 jobs on 3 nodes for 4.00 USD"));
  EXPECT_THAT(result.sections[1].table.notes.front(),
              testing::HasSubstr("no plan is more than 5.0 % cheaper"));
  EXPECT_EQ(result.sections[1].table.notes.back(),
            "Put off to a later decision, and not in that price: what job b will cost then.");
}

}  // namespace
}  // namespace sextant::report
