// Placements: examples of each rule, and a contract that every rule keeps on random clusters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "sextant/core/rng.h"
#include "sextant/simulate/node_index.h"

namespace sextant::simulate {

inline bool operator==(const NodeShare& a, const NodeShare& b) {
  return a.node == b.node && a.gpus == b.gpus;
}
inline void PrintTo(const NodeShare& share, std::ostream* out) {
  *out << share.gpus << " on node " << share.node;
}

namespace {

using ::testing::ElementsAre;

std::vector<NodeShare> choose(const char* rule, const NodeIndex& nodes, std::int32_t gpus) {
  std::vector<NodeShare> out;
  placements().get(rule).make()->choose(nodes, gpus, out);
  return out;
}

// Nodes of 8 with these many free.
NodeIndex with_free(const std::vector<std::int32_t>& free, std::int64_t nodes_per_rack = 0) {
  NodeIndex index({.gpus = 8 * std::ssize(free), .per_node = 8, .nodes_per_rack = nodes_per_rack});
  for (std::size_t node = 0; node < free.size(); ++node) {
    if (free[node] < 8) index.take({.node = static_cast<std::int32_t>(node), .gpus = 8 - free[node]});
  }
  return index;
}

TEST(Placements, ConsolidatedTakesTheExactNodeThenTheTightestThenTheFewest) {
  const NodeIndex nodes = with_free({8, 3, 5, 3, 0, 8});
  EXPECT_THAT(choose("consolidated", nodes, 3), ElementsAre(NodeShare{1, 3}));
  EXPECT_THAT(choose("consolidated", nodes, 4), ElementsAre(NodeShare{2, 4}));
  EXPECT_THAT(choose("consolidated", nodes, 6), ElementsAre(NodeShare{0, 6}));
  EXPECT_THAT(choose("consolidated", nodes, 11), ElementsAre(NodeShare{0, 8}, NodeShare{1, 3}));
  EXPECT_THAT(choose("consolidated", nodes, 20),
              ElementsAre(NodeShare{0, 8}, NodeShare{5, 8}, NodeShare{2, 4}));
  EXPECT_THAT(
      choose("consolidated", nodes, 27),
      ElementsAre(NodeShare{0, 8}, NodeShare{5, 8}, NodeShare{2, 5}, NodeShare{1, 3}, NodeShare{3, 3}));
}

TEST(Placements, BestFitFillsUpTheFullestNodes) {
  const NodeIndex nodes = with_free({8, 3, 5, 3, 0, 8});
  EXPECT_THAT(choose("best-fit", nodes, 4), ElementsAre(NodeShare{2, 4}));
  EXPECT_THAT(choose("best-fit", nodes, 9), ElementsAre(NodeShare{1, 3}, NodeShare{3, 3}, NodeShare{2, 3}));
}

TEST(Placements, SpreadLevelsTheEmptiestNodes) {
  EXPECT_THAT(choose("spread", with_free({8, 3, 8, 7}), 2), ElementsAre(NodeShare{0, 1}, NodeShare{2, 1}));
  EXPECT_THAT(choose("spread", with_free({8, 3, 8, 7}), 4),
              ElementsAre(NodeShare{0, 2}, NodeShare{2, 2}));  // 7, 7, 7: the lowest first
  EXPECT_THAT(choose("spread", with_free({8, 3, 8, 7}), 6),
              ElementsAre(NodeShare{0, 3}, NodeShare{2, 2}, NodeShare{3, 1}));
}

TEST(Placements, TopologyAwareStaysInOneRackWhereItCan) {
  // Racks of two nodes: 8 + 1, 6 + 6, 4 + 8 free.
  const NodeIndex nodes = with_free({8, 1, 6, 6, 4, 8}, 2);
  // 9: exactly the first rack. Consolidated would take nodes 0 and 1 too, but 10 shows the difference.
  EXPECT_THAT(choose("topology-aware", nodes, 9), ElementsAre(NodeShare{0, 8}, NodeShare{1, 1}));
  EXPECT_THAT(choose("topology-aware", nodes, 10), ElementsAre(NodeShare{2, 6}, NodeShare{3, 4}));
  EXPECT_THAT(choose("consolidated", nodes, 10), ElementsAre(NodeShare{0, 8}, NodeShare{4, 2}));
  EXPECT_THAT(choose("topology-aware", nodes, 13),
              ElementsAre(NodeShare{2, 6}, NodeShare{3, 6}, NodeShare{1, 1}));
}

class EveryPlacement : public ::testing::TestWithParam<std::string> {};

// Random clusters, jobs that come and go, nodes that fail: what is chosen is free, adds up, does not change
// the index, and is the same when asked again.
TEST_P(EveryPlacement, KeepsTheContract) {
  Rng rng(11);
  for (int round = 0; round < 60; ++round) {
    const auto per_node = static_cast<std::int64_t>(1 + rng.below(9));
    const auto gpus = static_cast<std::int64_t>(1 + rng.below(120));
    const auto per_rack = static_cast<std::int64_t>(rng.below(5));
    NodeIndex index({.gpus = gpus, .per_node = per_node, .nodes_per_rack = per_rack});
    std::vector<std::vector<NodeShare>> held;
    for (int step = 0; step < 60; ++step) {
      if (rng.uniform() < 0.4 && !held.empty()) {
        const auto which = static_cast<std::ptrdiff_t>(rng.below(held.size()));
        for (const NodeShare& share : held[static_cast<std::size_t>(which)]) index.give(share);
        held.erase(held.begin() + which);
        continue;
      }
      if (index.free() == 0) continue;
      const auto wanted = static_cast<std::int32_t>(1 + rng.below(static_cast<std::uint64_t>(index.free())));
      const std::vector<NodeShare> chosen = choose(GetParam().c_str(), index, wanted);
      ASSERT_EQ(chosen, choose(GetParam().c_str(), index, wanted));
      std::int32_t sum = 0;
      std::set<std::int32_t> nodes;
      for (const NodeShare& share : chosen) {
        ASSERT_GT(share.gpus, 0);
        ASSERT_LE(share.gpus, index.free_of(share.node));
        ASSERT_TRUE(nodes.insert(share.node).second) << "a node twice";
        sum += share.gpus;
      }
      ASSERT_EQ(sum, wanted);
      for (const NodeShare& share : chosen) index.take(share);
      held.push_back(chosen);
    }
  }
}

// What stands in `out` already stays.
TEST_P(EveryPlacement, Appends) {
  const NodeIndex index = with_free({8, 3, 5});
  std::vector<NodeShare> out = {{.node = 77, .gpus = 1}};
  placements().get(GetParam()).make()->choose(index, 12, out);
  EXPECT_EQ(out.front(), (NodeShare{77, 1}));
  EXPECT_GT(out.size(), 2U);
}

std::vector<std::string> ids() {
  std::vector<std::string> result;
  for (const PlacementInfo& info : placements().all()) result.push_back(info.id);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryPlacement, ::testing::ValuesIn(ids()), [](const auto& test) {
  std::string name = test.param;
  std::erase(name, '-');
  return name;
});

// Fewest nodes among all choices, found by sorting.
TEST(Placements, ConsolidatedUsesTheFewestNodes) {
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int32_t> free(1 + rng.below(20));
    std::int32_t sum = 0;
    for (std::int32_t& f : free) sum += f = static_cast<std::int32_t>(rng.below(9));
    if (sum == 0) continue;
    const auto wanted = static_cast<std::int32_t>(1 + rng.below(static_cast<std::uint64_t>(sum)));
    const std::size_t used = choose("consolidated", with_free(free), wanted).size();
    std::ranges::sort(free, std::ranges::greater{});
    std::size_t fewest = 0;
    for (std::int32_t left = wanted; left > 0; ++fewest) left -= free[fewest];
    EXPECT_EQ(used, fewest);
  }
}

TEST(NodeIndex, CountsMatchASearch) {
  Rng rng(9);
  NodeIndex index({.gpus = 8 * 200 - 3, .per_node = 8, .nodes_per_rack = 16, .usual = 4});
  EXPECT_EQ(index.nodes(), 200);
  EXPECT_EQ(index.racks(), 13);
  EXPECT_EQ(index.capacity(199), 5);
  std::set<std::int32_t> down;
  for (int step = 0; step < 4000; ++step) {
    const auto node = static_cast<std::int32_t>(rng.below(200));
    const double what = rng.uniform();
    if (down.contains(node)) {
      if (what < 0.5) index.bring_up(node), down.erase(node);
    } else if (index.free_of(node) == index.capacity(node) && what < 0.1) {
      index.take_down(node);
      down.insert(node);
    } else if (index.free_of(node) > 0 && what < 0.6) {
      index.take({.node = node, .gpus = 1});
    } else if (index.free_of(node) < index.capacity(node)) {
      index.give({.node = node, .gpus = 1});
    }
    std::int64_t free = 0;
    std::int64_t fragmented = 0;
    std::map<std::int32_t, std::int32_t> lowest;
    for (std::int32_t n = 199; n >= 0; --n) {
      if (down.contains(n)) continue;
      free += index.free_of(n);
      if (index.free_of(n) < 4) fragmented += index.free_of(n);
      lowest[index.free_of(n)] = n;
    }
    ASSERT_EQ(index.free(), free);
    ASSERT_EQ(index.fragmented(), fragmented);
    for (std::int32_t value = 0; value <= 8; ++value) {
      ASSERT_EQ(index.by_free().first(value), lowest.contains(value) ? lowest[value] : -1);
      const auto above = lowest.lower_bound(value);
      ASSERT_EQ(index.by_free().at_least(value), above == lowest.end() ? -1 : above->first);
    }
  }
}

TEST(NodeIndex, RefusesToGiveTwice) {
  NodeIndex index({.gpus = 8, .per_node = 4});
  index.take({.node = 0, .gpus = 3});
  EXPECT_THROW(index.take({.node = 0, .gpus = 2}), std::logic_error);
  EXPECT_THROW(index.give({.node = 1, .gpus = 1}), std::logic_error);
  EXPECT_THROW(index.take_down(0), std::logic_error);
  EXPECT_THROW(NodeIndex({.gpus = 4, .per_node = 0}), std::invalid_argument);
  EXPECT_THROW(NodeIndex({.gpus = -1}), std::invalid_argument);
}

// One node as large as a pool, and a bucket search over many words.
TEST(NodeIndex, LargeNodesAndManyNodes) {
  NodeIndex one({.gpus = 16384, .per_node = 1 << 20});
  EXPECT_EQ(one.nodes(), 1);
  EXPECT_THAT(choose("consolidated", one, 16384), ElementsAre(NodeShare{0, 16384}));
  NodeIndex many({.gpus = 100'000, .per_node = 1});
  for (std::int32_t node = 0; node < 99'999; ++node) many.take({.node = node, .gpus = 1});
  EXPECT_EQ(many.by_free().first(1), 99'999);
  EXPECT_EQ(many.by_free().first(1, 99'999), 99'999);
  EXPECT_EQ(many.by_free().first(0, 99'999), -1);
}

}  // namespace
}  // namespace sextant::simulate
