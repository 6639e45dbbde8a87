#include "sextant/nets/random_network.h"

#include <gtest/gtest.h>

#include <set>

#include "sextant/core/error.h"
#include "sextant/nets/cost.h"

namespace sextant::nets {
namespace {

TEST(RandomNetwork, IsFoundByItsName) {
  EXPECT_EQ(find_network("random/17").id, "random/17");
  EXPECT_EQ(random_network_number("random/18446744073709551615"), 18446744073709551615ULL);
  for (const char* name :
       {"random/", "random/x", "random/-1", "random/1 ", "random/18446744073709551616", "resnet18"}) {
    EXPECT_EQ(random_network_number(name), std::nullopt) << name;
  }
  EXPECT_THROW(find_network("random/x"), InputError);
}

TEST(RandomNetwork, IsTheSameEveryTime) {
  for (std::uint64_t number = 0; number < 20; ++number) {
    const Graph a = build(random_network(number), {.batch = 2});
    const Graph b = build(random_network(number), {.batch = 2});
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
      EXPECT_EQ(a.nodes[i].output, b.nodes[i].output);
      EXPECT_EQ(type_name(a.nodes[i].op), type_name(b.nodes[i].op));
    }
  }
}

// Linear in the batch, and no window larger than what it slides over, whatever the image.
TEST(RandomNetwork, IsANetworkAtEveryImageSize) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    for (const std::int64_t image : {16, 17, 31, 57, 224}) {
      const GraphCost one = cost(build(random_network(number), {.batch = 1, .image = image}));
      const GraphCost three = cost(build(random_network(number), {.batch = 3, .image = image}));
      EXPECT_GT(one.total.macs, 0) << number << ' ' << image;
      EXPECT_EQ(3 * one.total.macs, three.total.macs) << number << ' ' << image;
      EXPECT_EQ(one.total.parameters, three.total.parameters) << number << ' ' << image;
    }
  }
}

TEST(RandomNetwork, HasWhatTheLiteratureHas) {
  std::set<std::string> seen;
  for (std::uint64_t number = 0; number < 60; ++number) {
    for (const Node& node : build(random_network(number), {}).nodes) seen.insert(type_name(node.op));
  }
  for (const char* type :
       {"conv", "grouped-conv", "linear", "batch-norm", "relu", "relu6", "max-pool", "avg-pool",
        "adaptive-avg-pool", "add", "concat", "slice", "transpose", "dropout", "tanh"}) {
    EXPECT_TRUE(seen.contains(type)) << type;
  }
}

}  // namespace
}  // namespace sextant::nets
