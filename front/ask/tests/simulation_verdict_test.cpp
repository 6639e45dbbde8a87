#include "sextant/ask/simulation_verdict.h"

#include <gmock/gmock.h>

#include <cmath>
#include <tuple>

namespace sextant::ask {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

simulate::SweepPlan plan_of(const std::vector<std::string>& policies) {
  simulate::SweepPlan plan;
  plan.clusters = {{.name = "c", .pools = {{.type = "gpu", .gpus = 8}}}};
  for (const std::string& policy : policies) plan.policies.push_back(schedule::parse_policy(policy));
  return plan;
}

simulate::SweepRun run_of(std::size_t policy, std::uint64_t seed, double mean_jct_s) {
  simulate::SweepRun run{.policy = policy, .seed = seed, .done = true};
  run.metrics.completed = 100;
  run.metrics.mean_jct = run.metrics.p99_jct = Seconds{mean_jct_s};
  return run;
}

// Differences 9, 10, 11: mean 10, standard error 1/sqrt(3), t of 2 degrees of freedom at 95 % 4.303.
TEST(SimulationVerdict, PairsOfSeedsGiveTheInterval) {
  std::vector<simulate::SweepRun> runs;
  for (const auto& [seed, fifo, srtf] : {std::tuple(0, 109., 100.), {1, 130., 120.}, {2, 151., 140.}}) {
    runs.push_back(run_of(0, static_cast<std::uint64_t>(seed), fifo));
    runs.push_back(run_of(1, static_cast<std::uint64_t>(seed), srtf));
  }
  const PolicyVerdict verdict = verdicts(plan_of({"fifo", "srtf"}), runs).at(0);
  EXPECT_EQ(verdict.best, 1U);
  EXPECT_EQ(verdict.second, 0U);
  EXPECT_EQ(verdict.basis, DifferenceBasis::seeds);
  ASSERT_TRUE(verdict.difference_s.has_value());
  EXPECT_NEAR(verdict.difference_s->low, 10 - 4.3027 / std::sqrt(3), 1e-3);
  EXPECT_NEAR(verdict.difference_s->high, 10 + 4.3027 / std::sqrt(3), 1e-3);
  EXPECT_TRUE(verdict.sure());
  EXPECT_TRUE(verdict.losses.empty());
}

// With four rivals the same differences must clear a higher bar: 98.75 % each.
TEST(SimulationVerdict, ManyRivalsWidenTheInterval) {
  std::vector<simulate::SweepRun> runs;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const double base = 100 + 20 * static_cast<double>(seed);
    runs.push_back(run_of(0, seed, base));
    for (std::size_t p = 1; p < 5; ++p)
      runs.push_back(run_of(p, seed, base + 9 + static_cast<double>(seed + p)));
  }
  const PolicyVerdict verdict = verdicts(plan_of({"srtf", "fifo", "sjf", "las", "edf"}), runs).at(0);
  EXPECT_EQ(verdict.best, 0U);
  EXPECT_EQ(verdict.second, 1U);
  EXPECT_NEAR(verdict.difference_s->low, 11 - 8.8602 / std::sqrt(3), 1e-2);  // t of 2 at 1 - 0.0125 / 2
}

TEST(SimulationVerdict, OneRunIsJudgedByItsBatches) {
  simulate::SweepRun first = run_of(0, 0, 110);
  simulate::SweepRun second = run_of(1, 0, 100);
  for (int i = 0; i < 20; ++i) {
    first.groups.batch_jct_s.push_back(100 + i + (i % 2 == 0 ? 12 : 8));
    second.groups.batch_jct_s.push_back(100 + i);
  }
  const PolicyVerdict verdict = verdicts(plan_of({"fifo", "srtf"}), {first, second}).at(0);
  EXPECT_EQ(verdict.basis, DifferenceBasis::batches);
  EXPECT_EQ(verdict.samples, 20U);
  // Mean 10, standard error 2 / sqrt(20) = 0.45.
  EXPECT_NEAR(verdict.difference_s->low, 10 - 1.96 * 0.45, 0.15);
  EXPECT_NEAR(verdict.difference_s->high, 10 + 1.96 * 0.45, 0.15);
}

TEST(SimulationVerdict, WhoPaysIsNamed) {
  simulate::SweepRun first = run_of(0, 0, 110);
  simulate::SweepRun second = run_of(1, 0, 100);
  second.metrics.p99_jct = Seconds{220};
  first.groups.groups = {
      {"jobs on one GPU", 50, Seconds{150}}, {"long jobs", 50, Seconds{70}}, {"few", 2, Seconds{1}}};
  second.groups.groups = {
      {"jobs on one GPU", 50, Seconds{60}}, {"long jobs", 50, Seconds{140}}, {"few", 2, Seconds{9}}};
  const PolicyVerdict verdict = verdicts(plan_of({"fifo", "srtf"}), {first, second}).at(0);
  ASSERT_THAT(verdict.losses, SizeIs(2));
  EXPECT_EQ(verdict.losses[0].what, "p99 JCT");
  EXPECT_EQ(verdict.losses[0].other_s, 110);
  EXPECT_EQ(verdict.losses[1].what, "long jobs");
  EXPECT_EQ(verdict.losses[1].best_s, 140);
  EXPECT_EQ(verdict.losses[1].other, 0U);
}

// Half of what jobs hold is lost under the second policy, a twentieth under the first.
TEST(SimulationVerdict, ThrashingIsSaid) {
  simulate::SweepRun first = run_of(0, 0, 110);
  simulate::SweepRun second = run_of(1, 0, 100);
  first.metrics.utilization = second.metrics.utilization = 0.8;
  first.metrics.goodput = 0.76;
  second.metrics.goodput = 0.4;
  first.metrics.restarts = 3;
  second.metrics.restarts = 8797;
  const PolicyVerdict verdict = verdicts(plan_of({"fifo", "las"}), {first, second}).at(0);
  ASSERT_THAT(verdict.restart_losses, SizeIs(1));
  EXPECT_EQ(verdict.restart_losses[0].policy, 1U);
  EXPECT_EQ(verdict.restart_losses[0].restarts, 8797);
  EXPECT_NEAR(verdict.restart_losses[0].share, 0.5, 1e-12);
}

// A mean over the easy half of the jobs is no better.
TEST(SimulationVerdict, MoreJobsCompletedComeFirst) {
  simulate::SweepRun first = run_of(0, 0, 110);
  simulate::SweepRun second = run_of(1, 0, 10);
  second.metrics.completed = 50;
  const PolicyVerdict verdict = verdicts(plan_of({"fifo", "srtf"}), {first, second}).at(0);
  EXPECT_EQ(verdict.best, 0U);
  EXPECT_FALSE(verdict.same_jobs());
  EXPECT_FALSE(verdict.difference_s.has_value());
}

}  // namespace
}  // namespace sextant::ask
