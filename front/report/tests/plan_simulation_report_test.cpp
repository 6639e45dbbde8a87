#include "sextant/report/plan_simulation_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "svg_layout.h"

namespace sextant::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// One node at 0.001 USD/s; jobs of 100 s, the second late where the first goes before it.
ask::PlanSimulation two_jobs(std::int64_t seeds) {
  ask::PlanSimulation simulation;
  capacity::Workload workload{.name = "small",
                              .types = {{.name = "m", .gpu = "g", .gpus = 1, .hour_price = Dollars{3.6}}},
                              .nodes = std::vector<capacity::NodeState>(1)};
  for (const double due : {1000.0, 120.0}) {
    workload.jobs.push_back({.id = "job<" + std::to_string(static_cast<int>(due)) + ">",
                             .due = Seconds{due},
                             .tardiness = DollarRate{0.01},
                             .options = {{.type = 0, .gpus = 1, .time = Seconds{100}}}});
  }
  simulation.plan.workloads = {workload};
  simulation.plan.methods = {capacity::parse_method("fifo"), capacity::parse_method("edf")};
  simulation.plan.seeds = seeds;
  simulation.plan.run.error = seeds > 1 ? 0.05 : 0;
  simulation.plan.run.history = true;
  NoProgress quiet;
  simulation.runs = sweep_online(simulation.plan, quiet);
  return simulation;
}

// FIFO: 0.2 USD of rent, and 80 s of lateness at 0.01 USD/s. EDF: rent alone.
TEST(PlanSimulationReport, SaysWhoIsCheapest) {
  const Result result = plan_simulation_result(two_jobs(1), true);
  EXPECT_THAT(result.sections[1].table.notes,
              testing::ElementsAre(
                  "edf costs the least, 0.200 USD: 80.0 % less than fifo, the runner-up; with so few "
                  "runs, it may be chance."));
  const Json json = to_json(result);
  EXPECT_EQ(json["schema"], "sextant.plan-simulation/1");
  EXPECT_NEAR(json["runs"][0]["total_usd"].get<double>(), 1.0, 1e-9);
  EXPECT_NEAR(json["comparisons"][0]["cost_change"].get<double>(), -0.8, 1e-9);
  EXPECT_EQ(json["methods"][1]["met"], 1.0);
}

TEST(PlanSimulationReport, SeveralRunsHaveIntervals) {
  const Json json = to_json(plan_simulation_result(two_jobs(5), false));
  EXPECT_LT(json["comparisons"][0]["cost_change_high"].get<double>(), 0);
  EXPECT_EQ(json["comparisons"][0]["pairs"], 5);
  EXPECT_FALSE(json["runs"][0].contains("solve_s"));  // it differs from machine to machine
}

TEST(PlanSimulationReport, PicturesShowJobsAndMoney) {
  const ask::PlanSimulation simulation = two_jobs(1);
  const std::string best = node_chart(simulation);
  EXPECT_THAT(best, HasSubstr("edf on small: 0.200 USD</text>")) << "which costs less than fifo, the first";
  EXPECT_THAT(best, HasSubstr(">its due date</text>"));
  EXPECT_GT(best.find("job&lt;120&gt; is due"), best.rfind(": 1 GPU")) << "not under the bar of a later job";
  ask::PlanSimulation fifo = simulation;
  std::erase_if(fifo.runs, [](const capacity::OnlineSweepRun& run) { return run.method != 0; });
  const std::string chart = node_chart(fifo);
  EXPECT_THAT(chart, HasSubstr("job&lt;1000&gt;: 1 GPU<"));
  EXPECT_THAT(chart, HasSubstr("job&lt;120&gt;: 1 GPU, late<"));
  EXPECT_THAT(chart, HasSubstr("node 0: m"));
  EXPECT_THAT(chart, HasSubstr(">a job that ends late</text>"));
  EXPECT_THAT(test::layout_faults(chart), IsEmpty());
  const LinePlot plot = spending_plot(simulation);
  ASSERT_EQ(plot.series.size(), 2U);
  EXPECT_NEAR(plot.series[0].y.back(), 1.0, 1e-9);
}

}  // namespace
}  // namespace sextant::report
