#include "sextant/spans/analysis.h"

#include <gtest/gtest.h>

#include <limits>

#include "error_of.h"
#include "robust_score.h"
#include "synthetic_run.h"

namespace sextant::spans {
namespace {

using test::SyntheticRun;
using test::SyntheticTrainer;

constexpr double kGone = std::numeric_limits<double>::infinity();

const PhaseShare& share(const SpanAnalysis& analysis, const std::string& name) {
  return *std::ranges::find(analysis.phases, name, &PhaseShare::name);
}

// Two buckets: 4 + 6 + 5 + 6 + 8 + 2 = 31 through the first bucket, while the second half of the backward
// pass has a slack of 1; with transfers twice as fast 4 + 6 + 5 + 5 + 4 + 2 = 26 through the backward pass.
TEST(SpanAnalysis, TwoBucketsAsWorkedByHand) {
  for (const bool hand_over_times : {true, false}) {
    const SpanSet set =
        SyntheticTrainer({.iterations = 5, .hand_over_times = hand_over_times, .faults = {}}).train();
    const SpanAnalysis analysis = analyze_spans(set);
    EXPECT_EQ(analysis.iterations, 5);
    EXPECT_EQ(analysis.workers, 2);
    EXPECT_NEAR(analysis.iteration_s, 0.031, 1e-8);
    EXPECT_NEAR(analysis.retimed_s, 0.031, 1e-8);
    ASSERT_EQ(analysis.what_if.size(), 5U);
    EXPECT_EQ(analysis.what_if[0].phase, "communication");
    EXPECT_NEAR(analysis.what_if[0].iteration_s, 0.026, 1e-8);
    EXPECT_NEAR(analysis.what_if[0].saved_share, 5.0 / 31, 1e-6);
    EXPECT_NEAR(analysis.what_if[1].iteration_s, 0.027, 1e-8);  // without input
    EXPECT_NEAR(analysis.what_if[2].iteration_s, 0.029, 1e-8);  // without optimizer
    // Compute twice as fast: 4 + 3 + 2.5 + 6 + 8 + 1.
    EXPECT_NEAR(analysis.what_if[3].iteration_s, 0.0245, 1e-8);
    EXPECT_NEAR(analysis.what_if[4].saved_share, 0, 1e-6);  // nobody is slow
    std::vector<std::string> names;
    for (const PathStep& step : analysis.critical_path) names.push_back(step.name);
    const std::vector<std::string> expected = {"input", "forward", "backward", "communication", "optimizer"};
    // The pause between iterations stands in front.
    EXPECT_EQ(std::vector<std::string>(names.end() - 5, names.end()), expected);
    EXPECT_NEAR(analysis.critical_path[names.size() - 3].seconds, 0.005, 1e-8);
    EXPECT_NEAR(analysis.critical_path[names.size() - 2].seconds, 0.014, 1e-8);
  }
}

TEST(SpanAnalysis, SaysHowManyIterationsThereWereAndWhenTheyBegan) {
  const SpanSet set = SyntheticTrainer({.iterations = 5, .faults = {}}).train();
  const SpanAnalysis analysis = analyze_spans(set, {.skip = 2});
  EXPECT_EQ(analysis.iterations, 3);
  EXPECT_EQ(analysis.recorded, 5);
  EXPECT_EQ(analysis.begin_ns, std::ranges::min(set.spans, {}, &Span::start_ns).start_ns);
}

TEST(SpanAnalysis, CommunicationIsExposedWhereTheTrainingThreadWaits) {
  const SpanAnalysis analysis = analyze_spans(SyntheticTrainer({.iterations = 9, .faults = {}}).train());
  EXPECT_NEAR(share(analysis, "communication").seconds, 0.014, 1e-8);
  EXPECT_NEAR(share(analysis, "communication").exposed_s, 0.009, 1e-8);  // from 20 to 29 ms
  EXPECT_NEAR(share(analysis, "backward").seconds, 0.010, 1e-8);
  EXPECT_NEAR(share(analysis, "other").seconds, 0.0001, 1e-8);  // the pause
  // Of the path: 14 ms of 31.1.
  EXPECT_NEAR(share(analysis, "communication").critical_share, 14 / 31.1, 1e-3);
}

TEST(SpanAnalysis, WithoutOverlapTheTrainingThreadSendsItself) {
  const SpanAnalysis analysis =
      analyze_spans(SyntheticTrainer({.iterations = 7, .overlap = false, .faults = {}}).train());
  EXPECT_NEAR(analysis.iteration_s, 0.036, 1e-8);  // 4 + 6 + 10 + 14 + 2
  EXPECT_NEAR(share(analysis, "communication").exposed_s, 0.014, 1e-8);
  EXPECT_NEAR(analysis.what_if[0].iteration_s, 0.029, 1e-8);
}

SyntheticRun drawn_run(std::uint64_t seed) {
  Rng draw = Rng(seed).stream("runs");
  const auto time = [&draw] { return 0.001 + 0.02 * draw.uniform(); };
  SyntheticRun run{.noise = 0.05, .seed = seed, .faults = {}};
  run.workers = 1 + static_cast<std::int64_t>(draw.below(5));
  run.overlap = draw.below(2) == 1;
  run.input = time();
  run.forward = time();
  run.optimizer = time();
  run.backward.clear();
  run.communication.clear();
  const std::uint64_t buckets = 1 + draw.below(4);
  for (std::uint64_t i = 0; i < buckets; ++i) {
    run.backward.push_back(time());
    run.communication.push_back(time());
  }
  return run;
}

// The graph, timed again as it is, is the run; timed with other durations, it is the run that has them.
TEST(SpanAnalysis, WhatIfsAreWhatTheRunWouldHaveBeen) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const SyntheticRun run = drawn_run(seed);
    SyntheticTrainer trainer(run);
    const SpanQuestions questions{.what_if = {{.phase = "communication", .factor = 3},
                                              {.phase = "communication", .factor = 0.5},
                                              {.phase = "input", .factor = kGone},
                                              {.phase = "optimizer", .factor = 4},
                                              {.phase = "compute", .factor = 2}}};
    const SpanAnalysis analysis = analyze_spans(trainer.train(), questions);
    ASSERT_NEAR(analysis.iteration_s, trainer.iteration_s(), 1e-7) << seed;
    ASSERT_NEAR(analysis.retimed_s, trainer.iteration_s(), 1e-7) << seed;
    ASSERT_TRUE(analysis.warnings.empty());
    for (const WhatIf& what_if : analysis.what_if) {
      SyntheticRun other = run;
      const auto scale = [&](double& time) { time /= what_if.factor; };
      if (what_if.phase == "communication") std::ranges::for_each(other.communication, scale);
      if (what_if.phase == "input") scale(other.input);
      if (what_if.phase == "optimizer" || what_if.phase == "compute") scale(other.optimizer);
      if (what_if.phase == "compute") {
        scale(other.forward);
        std::ranges::for_each(other.backward, scale);
      }
      SyntheticTrainer changed(other);
      changed.train();
      ASSERT_NEAR(what_if.iteration_s, changed.iteration_s(), 1e-6)
          << "seed " << seed << " " << what_if.phase << " x" << what_if.factor;
    }
  }
}

TEST(SpanAnalysis, PhasesOfAWorkerAddUpToItsTime) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SyntheticRun run = drawn_run(seed);
    run.noise = 0;
    const SpanAnalysis analysis = analyze_spans(SyntheticTrainer(run).train());
    double sum = 0;
    double critical = 0;
    for (const PhaseShare& phase : analysis.phases) {
      sum += phase.exposed_s;
      critical += phase.critical_share;
    }
    ASSERT_NEAR(sum, analysis.iteration_s + run.pause, 1e-7) << seed;
    ASSERT_NEAR(critical, 1, 1e-9);
  }
}

TEST(SpanAnalysis, WarmUpIsLeftOut) {
  const SyntheticRun run{.iterations = 10, .faults = {{0, 0, 2, "forward", 1.0}}};
  const SpanAnalysis analysis = analyze_spans(SyntheticTrainer(run).train(), {.skip = 3});
  EXPECT_EQ(analysis.iterations, 7);
  EXPECT_TRUE(analysis.slow.empty());
  EXPECT_NEAR(analysis.retimed_s, 0.031, 1e-7);
}

TEST(SpanAnalysis, QuestionsAboutNothingAreRefused) {
  const SpanSet set = SyntheticTrainer({.iterations = 3, .faults = {}}).train();
  const auto error = [&](const SpanSet& spans, const SpanQuestions& questions) {
    return sextant::test::error_of([&] { (void)analyze_spans(spans, questions); });
  };
  EXPECT_EQ(error({}, {}),
            "error: there is no complete iteration\n"
            "  hint: every worker needs a span named 'iteration' around each pass over a batch");
  EXPECT_EQ(error(set, {.skip = 3}), "`skip`: error: no iteration is left after the warm-up");
  EXPECT_EQ(
      error(set, {.what_if = {{.phase = "comunication"}}}),
      "`what_if`: error: these spans have no phase 'comunication'\n  hint: did you mean 'communication'?");
  for (const double factor : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(error(set, {.what_if = {{.phase = "input", .factor = factor}}}),
              "`what_if`: error: the factor of 'input' is not above 0");
}

// 100, 101, 99, 100, 102, 98, 150: median 100, MAD 1, 0.6745 * 50 / 1.
TEST(SpanAnalysis, RobustScoreOfOneSlowRank) {
  const std::vector<double> times = {100, 101, 99, 100, 102, 98, 150};
  EXPECT_NEAR(robust_scale(times).score(150), 33.7, 0.05);
  // All equal but one: 1 % of the median is what a deviation is not below.
  EXPECT_NEAR(robust_scale(std::vector<double>{100, 100, 100, 102}).score(102), 0.6745 * 2, 0.001);
}

}  // namespace
}  // namespace sextant::spans
