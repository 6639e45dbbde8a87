// Questions about measurements: the trials that they make, and what is refused before anything starts.
#include "sextant/ask/measure.h"

#include <gmock/gmock.h>

namespace sextant::ask {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> configurations(const std::vector<measure::Trial>& trials) {
  std::vector<std::string> all;
  for (const measure::Trial& t : trials) {
    all.push_back(t.strategy + " " + std::to_string(t.workers) + "/" + std::to_string(t.servers) + " " +
                  t.transport);
  }
  return all;
}

TEST(MeasureTrials, WhatMakesNoDifferenceIsMeasuredOnce) {
  MeasureQuestion question;
  question.net = {"lenet5"};
  question.strategy = {"auto", "ps-sync"};
  question.workers = {1, 2};
  question.servers = {1, 2};
  question.transport = {"gloo", "mpi-shm"};
  EXPECT_THAT(configurations(measure_trials(question)),
              ElementsAre("single 1/0 none", "all-reduce 2/0 gloo-tcp", "all-reduce 2/0 mpi-shm",
                          "ps-sync 1/1 gloo-tcp", "ps-sync 1/1 mpi-shm", "ps-sync 1/2 gloo-tcp",
                          "ps-sync 1/2 mpi-shm", "ps-sync 2/1 gloo-tcp", "ps-sync 2/1 mpi-shm",
                          "ps-sync 2/2 gloo-tcp", "ps-sync 2/2 mpi-shm"));
}

TEST(MeasureTrials, ParametersOfStrategiesAreKept) {
  MeasureQuestion question;
  question.net = {"lenet5"};
  question.strategy = {"ps_ssp:bound=5", "ps-ssp"};
  EXPECT_THAT(configurations(measure_trials(question)),
              ElementsAre("ps-ssp:bound=5 1/1 gloo-tcp", "ps-ssp 1/1 gloo-tcp"));
}

std::string refusal(const MeasureQuestion& question) {
  NoProgress quiet;
  try {
    measure(question, quiet);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MeasureQuestionTest, SpansAreOfOneConfiguration) {
  EXPECT_THAT(refusal({.net = {"lenet5"}, .workers = {1, 2}, .spans = true}), HasSubstr("here are 2"));
}

TEST(MeasureQuestionTest, EffectsNeedTwoValues) {
  EXPECT_THAT(refusal({.net = {"lenet5"}, .effects = true}), HasSubstr("two values"));
  EXPECT_THAT(refusal({.net = {"lenet5"}, .workers = {1, 2, 4}, .effects = true}), HasSubstr("here are 3"));
}

TEST(MeasureQuestionTest, OneOfAFewTexts) {
  EXPECT_THAT(refusal({.net = {"lenet5"}, .on_failure = "shrunk"}), HasSubstr("did you mean 'shrink'"));
}

// Twice the time for each level of the workers, whatever the batch; repeated within 1 %.
TEST(MeasuredEffects, RatioOfHighOverLow) {
  const MeasureQuestion question{
      .net = {"lenet5"}, .batch = {2, 8}, .strategy = {"all-reduce"}, .workers = {1, 2}, .effects = true};
  std::vector<measure::TrialResult> results;
  for (const measure::Trial& trial : measure_trials(question)) {
    const double seconds = trial.workers == 2 ? 0.2 : 0.1;
    measure::TrialResult& result = results.emplace_back();
    result.trial = trial;
    result.round_medians = {seconds * 0.99, seconds, seconds * 1.01};
  }
  const std::vector<NetworkEffects> networks = measured_effects(question, results);
  ASSERT_EQ(networks.size(), 1U);
  ASSERT_EQ(networks[0].effects.size(), 3U);  // batch, workers, batch x workers
  EXPECT_NEAR(networks[0].effects[0].ratio, 1, 1e-9);
  EXPECT_EQ(networks[0].effects[1].factor, "workers");
  EXPECT_NEAR(networks[0].effects[1].ratio, 2, 1e-9);
}

}  // namespace
}  // namespace sextant::ask
