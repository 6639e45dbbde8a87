// Jobs that go to a faster type when it stands idle.
#include <gtest/gtest.h>

#include "sextant/simulate/run.h"

namespace sextant::simulate {
namespace {

clusters::Cluster fast_and_slow() {
  return {.name = "", .pools = {{.type = "fast", .gpus = 1}, {.type = "slow", .gpus = 1}}};
}

// Both arrive at once: the first takes the fast GPU, the second the slow one, which takes four times as long.
JobSet two_jobs(double first, double second) {
  JobSet set;
  set.classes = {{.gpus = 1, .rate = {1, 0.25}, .across_nodes = {1, 1}, .across_racks = {1, 1}}};
  set.jobs = {{.work = first, .deadline = Seconds{1e18}},
              {.work = second, .deadline = Seconds{1e18}, .source = 1}};
  return set;
}

RunResult run(const std::string& policy, const JobSet& jobs, Seconds restart = {}) {
  RunOptions options{.policy = schedule::parse_policy(policy)};
  options.restart = restart;
  return simulate(jobs, fast_and_slow(), options);
}

class Moves : public testing::TestWithParam<std::string> {};

// The second has done 1,000 s x 0.25 = 250 when the fast GPU is free; 3,750 are left, at full speed.
TEST_P(Moves, ToTheFasterTypeThatIsFree) {
  const RunResult result = run(GetParam(), two_jobs(1000, 4000));
  EXPECT_DOUBLE_EQ(result.jobs[1].completion.value, 1000 + 3750);
  EXPECT_EQ(result.jobs[1].preemptions, 1);
  EXPECT_EQ(result.jobs[1].type, 0);
}

TEST_P(Moves, ARestartIsPaid) {
  EXPECT_DOUBLE_EQ(run(GetParam(), two_jobs(1000, 4000), Seconds{60}).jobs[1].completion.value, 1060 + 3750);
}

// Free after 100 s, but nobody moves before 600 s: then 150 are done.
TEST_P(Moves, NotBeforeItsTime) {
  EXPECT_DOUBLE_EQ(run(GetParam(), two_jobs(100, 4000)).jobs[1].completion.value, 600 + 3850);
}

TEST_P(Moves, NeverWhereThatIsAskedFor) {
  EXPECT_DOUBLE_EQ(run(GetParam() + ":move=inf", two_jobs(1000, 4000)).jobs[1].completion.value, 16000);
}

INSTANTIATE_TEST_SUITE_P(Policies, Moves, testing::Values("srtf", "las", "tiresias", "gittins"));

TEST(MovesOfOthers, WhoDoesNotStopJobsDoesNotMoveThem) {
  EXPECT_DOUBLE_EQ(run("sjf", two_jobs(1000, 4000)).jobs[1].completion.value, 16000);
}

}  // namespace
}  // namespace sextant::simulate
