// Faults that were put into runs are found, named, and nothing else is.
#include <gtest/gtest.h>

#include <set>

#include "sextant/spans/analysis.h"
#include "synthetic_run.h"

namespace sextant::spans {
namespace {

using test::Fault;
using test::SyntheticRun;
using test::SyntheticTrainer;

const std::vector<std::string> kPhases = {"input", "forward", "backward", "optimizer"};

SyntheticRun healthy_run(std::int64_t workers, std::uint64_t seed) {
  SyntheticRun run{.workers = workers, .iterations = 40, .noise = 0.02, .seed = seed, .faults = {}};
  run.overlap = seed % 2 == 0;
  return run;
}

TEST(Faults, AStragglerIsNamedWithItsPhase) {
  for (const std::int64_t workers : {2, 3, 4, 8}) {
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
      SyntheticRun run = healthy_run(workers, seed);
      const Fault fault{static_cast<std::int64_t>(seed) % workers, 0, 39, kPhases[seed % 4], 0.008};
      run.faults = {fault};
      const SpanAnalysis analysis = analyze_spans(SyntheticTrainer(run).train());
      ASSERT_EQ(analysis.stragglers.size(), 1U) << workers << " workers, seed " << seed;
      const Straggler& found = analysis.stragglers.front();
      EXPECT_EQ(found.process, fault.worker);
      EXPECT_EQ(found.phase, fault.phase);
      EXPECT_NEAR(found.late_s, fault.seconds, 0.001);
      EXPECT_GT(found.robust_z, 3.5);
      EXPECT_GE(found.iterations, 35);
      // Taking it away gives back what it cost.
      EXPECT_NEAR(analysis.what_if.back().iteration_s, analysis.iteration_s - fault.seconds, 0.0015);
    }
  }
}

TEST(Faults, ALateRankForAShortTimeIsNoStraggler) {
  SyntheticRun run = healthy_run(4, 2);
  run.faults = {{1, 10, 11, "forward", 0.02}};  // two iterations; three of five are needed
  EXPECT_TRUE(analyze_spans(SyntheticTrainer(run).train()).stragglers.empty());
}

TEST(Faults, HealthyRunsHaveNone) {
  std::size_t stragglers = 0;
  std::size_t slow = 0;
  for (std::uint64_t seed = 100; seed < 150; ++seed) {
    const auto workers = static_cast<std::int64_t>(1 + seed % 8);
    const SpanAnalysis analysis = analyze_spans(SyntheticTrainer(healthy_run(workers, seed)).train());
    stragglers += analysis.stragglers.size();
    slow += analysis.slow.size();
  }
  EXPECT_EQ(stragglers, 0U);
  EXPECT_EQ(slow, 0U);  // of 2000 iterations: 10 % above the median is ten deviations
}

// Three delays of a third of an iteration in each run, anywhere: precision and recall of (iteration, worker,
// phase).
TEST(Faults, SlowIterationsNameWorkerAndPhase) {
  std::size_t injected = 0;
  std::size_t reported = 0;
  std::size_t right = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng draw = Rng(seed).stream("faults");
    SyntheticRun run = healthy_run(static_cast<std::int64_t>(1 + seed % 6), seed);
    std::set<std::tuple<std::int64_t, std::int64_t, std::string>> expected;
    for (std::int64_t i = 0; i < 3; ++i) {
      const std::int64_t at = 5 + 10 * i + static_cast<std::int64_t>(draw.below(9));
      const std::uint64_t what = draw.below(5);
      const std::string phase = what < 4 ? kPhases[what] : "communication";
      const auto worker = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(run.workers)));
      // The wire is everybody's: the synthetic run keeps its faults with worker 0.
      run.faults.push_back({what < 4 ? worker : 0, at, at, phase, 0.011});
      expected.emplace(at, what < 4 ? worker : -1, phase);
    }
    const SpanAnalysis analysis = analyze_spans(SyntheticTrainer(run).train());
    injected += expected.size();
    reported += analysis.slow.size();
    for (const SlowIteration& slow : analysis.slow) {
      const std::int64_t who = slow.phase == "communication" ? -1 : slow.process;
      right += expected.count({slow.iteration, who, slow.phase});
      EXPECT_GT(slow.seconds, slow.usual_s);
      EXPECT_GT(slow.robust_z, 3.5);
    }
  }
  EXPECT_EQ(injected, 180U);
  EXPECT_GE(static_cast<double>(right) / static_cast<double>(injected), 0.97);  // recall
  EXPECT_GE(static_cast<double>(right) / static_cast<double>(reported), 0.97);  // precision
}

TEST(Faults, ASlowIterationSaysWhen) {
  SyntheticRun run{.iterations = 12, .faults = {{1, 7, 7, "forward", 0.05}}};
  const SpanSet set = SyntheticTrainer(run).train();
  const SpanAnalysis analysis = analyze_spans(set);
  ASSERT_EQ(analysis.slow.size(), 1U);
  const SlowIteration& slow = analysis.slow.front();
  EXPECT_EQ(slow.iteration, 7);
  EXPECT_NEAR(slow.seconds, 0.056, 1e-7);
  EXPECT_NEAR(slow.usual_s, 0.006, 1e-7);
  const auto forward = std::ranges::find_if(
      set.spans, [&](const Span& span) { return span.process == 1 && span.start_ns == slow.at_ns; });
  ASSERT_NE(forward, set.spans.end());
  EXPECT_EQ(forward->name, "forward");
}

}  // namespace
}  // namespace sextant::spans
