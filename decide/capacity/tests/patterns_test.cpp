// Layouts and bounds from patterns of nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "capacity_support.h"
#include "node_cuts.h"
#include "sextant/core/rng.h"

namespace sextant::capacity {
namespace {

// Every division of the jobs into nodes of four GPUs, one GPU each, at a price that grows with the GPUs in
// use.
double best_division(const std::vector<CutJob>& jobs, const std::vector<double>& prices, std::size_t nodes) {
  std::vector<std::vector<double>> groups;
  double best = 1e300;
  const std::function<void(std::size_t)> put = [&](std::size_t next) {
    if (next == jobs.size()) {
      double cost = 0;
      for (const std::vector<double>& group : groups) {
        cost += prices[group.size()] * *std::ranges::max_element(group);
      }
      best = std::min(best, cost);
      return;
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (groups[g].size() + 1 == prices.size()) continue;
      groups[g].push_back(jobs[next].time);
      put(next + 1);
      groups[g].pop_back();
    }
    if (groups.size() == nodes) return;
    groups.push_back({jobs[next].time});
    put(next + 1);
    groups.pop_back();
  };
  put(0);
  return best;
}

TEST(NodeCuts, AreTheBestDivision) {
  const std::vector<double> prices = {0, 1, 2.1, 4, 4};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng = Rng(seed).stream("cuts");
    std::vector<CutJob> jobs(8);
    for (CutJob& job : jobs) job.time = 1 + 9 * rng.uniform();
    std::ranges::sort(jobs, std::greater{}, &CutJob::time);
    for (const std::size_t nodes : {2U, 3U, 5U}) {
      const NodeCuts cuts(jobs, prices, nodes);
      EXPECT_NEAR(cuts.cost(nodes), best_division(jobs, prices, nodes), 1e-9) << seed << ", " << nodes;
      double cost = 0;
      std::size_t begin = 0;
      for (const std::size_t end : cuts.ends(nodes)) {
        cost += prices[end - begin] * jobs[begin].time;
        begin = end;
      }
      EXPECT_EQ(begin, jobs.size());
      EXPECT_NEAR(cost, cuts.cost(nodes), 1e-9);
    }
  }
}

TEST(NodeCuts, TooFewNodesAreSaid) {
  const std::vector<CutJob> jobs(9, {.gpus = 1, .time = 1});
  const std::vector<double> prices = {0, 1, 2, 3, 4};
  const std::vector<NodeCuts> lists = {NodeCuts(jobs, prices, 3), NodeCuts(jobs, prices, 3)};
  EXPECT_TRUE(divided_nodes(lists, 3).empty());
  const std::vector<NodeCuts> more = {NodeCuts(jobs, prices, 7), NodeCuts(jobs, prices, 7)};
  ASSERT_EQ(divided_nodes(more, 7).size(), 2U);
}

// What the exact program proves is never below the bound.
TEST(PatternBound, HoldsForTheOptimum) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Snapshot snapshot = random_instance(seed);
    for (const NodeCost cost : {NodeCost::makespan, NodeCost::period}) {
      snapshot.wishes.cost = cost;
      const double least = cost_of(snapshot, method_of("milp")->decide(snapshot)).total().value;
      EXPECT_LE(bound_of(snapshot).value, least + 1e-6 * (1 + least)) << seed;
    }
  }
}

// Jobs of hours, 4.5 to a node, of which most must begin now.
Snapshot crowded(int nodes) {
  Rng rng = Rng(3).stream("many");
  Snapshot snapshot;
  for (const std::int32_t gpus : {1, 2, 4, 8}) {
    snapshot.types.push_back({.name = std::to_string(gpus), .gpu = "g", .gpus = gpus});
    snapshot.types.back().hour_price = Dollars{0.6 * gpus};
  }
  snapshot.nodes.resize(static_cast<std::size_t>(nodes));
  for (int j = 0; j < nodes * 9 / 2; ++j) {
    JobState job{.id = std::to_string(j), .tardiness = Dollars{20} / kHour};
    const double hours = 2 + 20 * rng.uniform();
    const double gain = 0.9 * rng.uniform();
    for (std::int32_t type = 0; type < 4; ++type) {
      for (std::int32_t gpus = 1; gpus <= snapshot.types[static_cast<std::size_t>(type)].gpus; ++gpus) {
        job.options.push_back({.type = type, .gpus = gpus, .time = hours / (1 + gain * (gpus - 1)) * kHour});
      }
    }
    job.due = hours * (0.5 + rng.uniform()) * kHour;
    snapshot.jobs.push_back(std::move(job));
  }
  snapshot.wishes.cost = NodeCost::makespan;
  return snapshot;
}

TEST(PatternBound, IsNearTheLayoutsOfManyNodes) {
  const Snapshot snapshot = crowded(30);
  const Decision decision = method_of("sextant")->decide(snapshot);
  EXPECT_EQ(fault_of(snapshot, decision), "");
  const double cost = cost_of(snapshot, decision).total().value;
  const double bound = bound_of(snapshot).value;
  EXPECT_LE(bound, cost);
  EXPECT_LE(cost, 1.02 * bound);
}

// Far more than is solved in half a second.
TEST(ExactMethod, IsNeverWorseThanAnyOtherWhenTimeIsShort) {
  const Snapshot snapshot = crowded(8);
  const Decision exact = method_of("milp:seconds=0.5")->decide(snapshot);
  const double least = cost_of(snapshot, exact).total().value;
  for (const MethodInfo& method : methods().all()) {
    if (method.id == "milp") continue;
    EXPECT_LE(least, cost_of(snapshot, method_of(method.id)->decide(snapshot)).total().value + 1e-9)
        << method.id;
  }
  ASSERT_TRUE(exact.bound);
  EXPECT_LE(*exact.bound, least + 1e-9);
}

}  // namespace
}  // namespace sextant::capacity
