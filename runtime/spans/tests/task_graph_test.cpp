#include "task_graph.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sextant/core/rng.h"

namespace sextant::spans {
namespace {

// load 4 → fwd 6 → bwd2 5 → {bwd1 5, ar2 6} → ar1 8 → opt 2: two buckets, of which the first travels while
// the backward pass of the other layer goes on.
struct TwoBuckets {
  enum { load, fwd, bwd2, bwd1, ar2, ar1, opt };
  TaskGraph graph;
  TwoBuckets() {
    for (int i = 0; i <= opt; ++i) graph.add();
    graph.after(load, fwd);
    graph.after(fwd, bwd2);
    graph.after(bwd2, bwd1);
    graph.after(bwd2, ar2);
    graph.after(bwd1, ar1);
    graph.after(ar2, ar1);
    graph.after(ar1, opt);
    EXPECT_TRUE(graph.arrange());
  }
};

TEST(TaskGraph, TwoBucketsTakeThirtyOneThroughTheFirst) {
  const TwoBuckets two;
  const std::vector<double> durations = {4, 6, 5, 5, 6, 8, 2};
  const auto finish = two.graph.finish(durations);
  EXPECT_EQ(finish[TwoBuckets::opt], 31);  // 4 + 6 + 5 + 6 + 8 + 2
  using T = TwoBuckets;
  EXPECT_EQ(two.graph.path_to(TwoBuckets::opt, finish),
            (std::vector<TaskIndex>{T::load, T::fwd, T::bwd2, T::ar2, T::ar1, T::opt}));
  EXPECT_EQ(two.graph.slack(durations, finish), (std::vector<double>{0, 0, 0, 1, 0, 0, 0}));
}

TEST(TaskGraph, HalvedAllReducesMoveThePathToTheBackwardPass) {
  const TwoBuckets two;
  const std::vector<double> durations = {4, 6, 5, 5, 3, 4, 2};
  const auto finish = two.graph.finish(durations);
  EXPECT_EQ(finish[TwoBuckets::opt], 26);  // 4 + 6 + 5 + 5 + 4 + 2
  const auto path = two.graph.path_to(TwoBuckets::opt, finish);
  EXPECT_NE(std::ranges::find(path, TwoBuckets::bwd1), path.end());
  EXPECT_EQ(two.graph.slack(durations, finish)[TwoBuckets::ar2], 2);
}

TEST(TaskGraph, CirclesAreFound) {
  TaskGraph graph;
  const TaskIndex a = graph.add();
  const TaskIndex b = graph.add();
  graph.after(a, b);
  graph.after(b, a);
  EXPECT_FALSE(graph.arrange());
}

// Laws over random graphs: the path adds up to the end, slack is 0 on it and never negative, and a task made
// longer by its slack changes nothing while a bit more does.
TEST(TaskGraph, SlackIsWhatATaskCanTake) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng draw = Rng(seed).stream("graphs");
    TaskGraph graph;
    std::vector<double> durations;
    for (TaskIndex i = 0; i < 30; ++i) {
      graph.add();
      durations.push_back(static_cast<double>(draw.below(20)) + 1);
      for (int edges = 0; edges < 2 && i > 0; ++edges) graph.after(draw.below(i), i);
    }
    ASSERT_TRUE(graph.arrange());
    const auto finish = graph.finish(durations);
    const auto slack = graph.slack(durations, finish);
    const double end = std::ranges::max(finish);
    double sum = 0;
    const auto last = static_cast<TaskIndex>(std::ranges::max_element(finish) - finish.begin());
    for (const TaskIndex task : graph.path_to(last, finish)) {
      sum += durations[task];
      ASSERT_EQ(slack[task], 0);
    }
    ASSERT_EQ(sum, end);
    const TaskIndex any = draw.below(30);
    auto longer = durations;
    longer[any] += slack[any];
    ASSERT_EQ(std::ranges::max(graph.finish(longer)), end);
    longer[any] += 1;
    ASSERT_EQ(std::ranges::max(graph.finish(longer)), end + 1);
  }
}

}  // namespace
}  // namespace sextant::spans
