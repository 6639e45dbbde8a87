// What every mechanism keeps to, by its name.
#include <gtest/gtest.h>

#include "engine_support.h"
#include "sextant/simulate/mechanism.h"

namespace sextant::simulate {
namespace {

TEST(Mechanisms, AreKnownByName) {
  std::vector<std::string> names;
  for (const MechanismInfo& mechanism : mechanisms().all()) names.push_back(mechanism.id);
  EXPECT_EQ(names, (std::vector<std::string>{"event", "gavel", "rounds"}));
  RunOptions options = with_policy("allox");
  options.mechanism = "tides";
  EXPECT_THROW(simulate({}, one_gpu(), options), InputError);
}

// AlloX decides at once and gives shares, so that it runs under all of them.
TEST(Mechanisms, EveryJobEndsAndTheSameInputsMakeTheSameRun) {
  std::vector<HandJob> list;
  for (int i = 0; i < 20; ++i) list.push_back({.arrival_s = 50.0 * i, .work = 100.0 + 70 * (i % 7)});
  const JobSet jobs = hand_jobs(one_gpu(), list);
  for (const MechanismInfo& mechanism : mechanisms().all()) {
    RunOptions options = with_policy("allox");
    options.mechanism = mechanism.id;
    const RunResult first = simulate(jobs, one_gpu(), options);
    const RunResult second = simulate(jobs, one_gpu(), options);
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(first.jobs[i].end, JobEnd::completed) << mechanism.id;
      EXPECT_EQ(first.jobs[i].completion, second.jobs[i].completion) << mechanism.id;
    }
    EXPECT_EQ(first.rounds == 0, mechanism.id == "event");
  }
}

}  // namespace
}  // namespace sextant::simulate
