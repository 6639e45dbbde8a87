#include "sextant/measure/drawn_network.h"

#include <gtest/gtest.h>

#include <set>

namespace sextant::measure {
namespace {

TEST(DrawnNetwork, IsTheSameForTheSameNumber) {
  for (std::uint64_t i = 0; i < kDrawnFamilies; ++i) {
    const nets::Graph a = build(drawn_network(i), {.batch = 2});
    const nets::Graph b = build(trial_network("drawn/" + std::to_string(i)), {.batch = 2});
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
    for (std::size_t n = 0; n < a.nodes.size(); ++n) EXPECT_EQ(a.nodes[n].output, b.nodes[n].output);
  }
}

TEST(DrawnNetwork, FamiliesDiffer) {
  std::set<std::string> summaries;
  for (std::uint64_t i = 0; i < kDrawnFamilies; ++i) summaries.insert(drawn_network(i).summary);
  EXPECT_EQ(summaries.size(), kDrawnFamilies);
  EXPECT_EQ(drawn_network(3).summary, drawn_network(3 + kDrawnFamilies).summary);
}

TEST(DrawnNetwork, EveryNumberIsANetworkAtEveryBatch) {
  for (std::uint64_t i = 0; i < 12 * kDrawnFamilies; ++i) {
    for (const std::int64_t batch : {1, 3, 16}) {
      const nets::Graph graph = build(drawn_network(i), {.batch = batch});
      EXPECT_EQ(graph.batch(), batch) << graph.name;
      EXPECT_TRUE(unknown_operators(graph).empty());
      EXPECT_EQ(without_loose_ends(graph).nodes.size(), graph.nodes.size()) << graph.name;
    }
  }
}

TEST(TrialNetwork, IsWhateverNetsKnowsToo) {
  EXPECT_EQ(trial_network("resnet18").id, "resnet18");
  EXPECT_EQ(trial_network("random/3").id, "random/3");
  for (const char* name : {"drawn/", "drawn/x", "drawn/-1", "drawn/18446744073709551616", "nothing"}) {
    EXPECT_THROW(trial_network(name), InputError) << name;
  }
}

}  // namespace
}  // namespace sextant::measure
