// Operators that transformers alone have: pairs, counts and shapes by hand.
#include <gtest/gtest.h>

#include "sextant/core/error.h"
#include "sextant/nets/builder.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/parameters.h"

namespace sextant::nets {
namespace {

constexpr double kWord = 4;

Graph attention_over(const Attention& op, const Shape& q, const Shape& k, const Shape& v) {
  GraphBuilder g("attention");
  const Tensor a = g.add(Parameter{q}, {});
  const Tensor b = g.add(Parameter{k}, {});
  const Tensor c = g.add(Parameter{v}, {});
  return g.finish(g.add(op, {a, b, c}));
}

std::int64_t pairs_by_hand(const Mask& mask, std::int64_t n) {
  std::int64_t pairs = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const bool after = mask.causal && j > i;
      const bool far = mask.window > 0 && !mask.chunked && i - j >= mask.window;
      const bool apart = mask.window > 0 && mask.chunked && i / mask.window != j / mask.window;
      pairs += after || far || apart ? 0 : 1;
    }
  }
  return pairs;
}

TEST(AttendedPairs, AreThoseThatAreNotMasked) {
  for (const std::int64_t n : {1, 2, 7, 16, 33}) {
    EXPECT_EQ(attended_pairs(Mask{}, n, n), n * n);
    for (const std::int64_t w : {0, 1, 4, 7, 16, 100}) {
      for (const bool chunked : {false, true}) {
        const Mask mask{.causal = true, .window = w, .chunked = chunked};
        EXPECT_EQ(attended_pairs(mask, n, n), pairs_by_hand(mask, n)) << n << " " << w << " " << chunked;
      }
    }
  }
}

// Batch 2, 8 places, 4 heads of 16, two heads of keys, values of 8: 36 pairs of each sequence.
TEST(AttentionCost, TwoProductsForwardAndFiveBackward) {
  const Attention op{.heads = 4, .kv_heads = 2, .mask = {.causal = true}};
  const OpCost c = cost(attention_over(op, {2, 8, 64}, {2, 8, 32}, {2, 8, 16})).ops.back();
  const double macs = 2 * 36 * (4 * 16 + 4 * 8);
  EXPECT_EQ(c.macs, static_cast<std::int64_t>(macs));
  const double softmax = 5 * 2 * 4 * 36;
  EXPECT_DOUBLE_EQ(c.forward.value, 2 * macs + softmax);
  EXPECT_DOUBLE_EQ(c.backward.value, 5 * macs + 2 * softmax);
  const double tensors = kWord * 2 * 8 * (64 + 32 + 16 + 32);
  const double sums = kWord * 2 * 8 * 4;
  EXPECT_DOUBLE_EQ(c.forward_bytes.value, tensors + sums);
  EXPECT_DOUBLE_EQ(c.output.value, kWord * 2 * 8 * 32);
  EXPECT_DOUBLE_EQ(c.saved.value,
                   kWord * 2 * 8 * 32 + sums);  // its result; the inputs are learned values here
}

TEST(AttentionShape, RefusesWhatDoesNotFit) {
  const Attention op{.heads = 4, .kv_heads = 2, .mask = {}};
  EXPECT_NO_THROW(attention_over(op, {2, 8, 64}, {2, 5, 32}, {2, 5, 16}));
  EXPECT_THROW(attention_over(op, {2, 8, 66}, {2, 8, 32}, {2, 8, 16}), InputError);
  EXPECT_THROW(attention_over(op, {2, 8, 64}, {2, 8, 64}, {2, 8, 16}), InputError);
  EXPECT_THROW(attention_over(op, {2, 8, 64}, {2, 8, 32}, {2, 7, 16}), InputError);
  EXPECT_THROW(attention_over({.heads = 4, .kv_heads = 3, .mask = {}}, {2, 8, 64}, {2, 8, 48}, {2, 8, 16}),
               InputError);
}

// Six experts of width 10, two for each of 2 x 3 places of 8 values.
TEST(ExpertsCost, CountsTheChosenOnes) {
  GraphBuilder g("experts");
  const Tensor x = g.add(Parameter{{2, 3, 8}}, {});
  const Tensor scores = g.add(Parameter{{2, 3, 6}}, {});
  const Graph graph = g.finish(g.add(Experts{.count = 6, .per_token = 2, .inner = 10}, {x, scores}));
  const OpCost c = cost(graph).ops.back();
  EXPECT_EQ(c.parameters, 6 * 3 * 8 * 10);
  EXPECT_EQ(c.macs, 2 * 3 * 2 * 3 * 8 * 10);
  const double silu = 4;
  EXPECT_DOUBLE_EQ(c.forward.value, 2.0 * 2880 + silu * 12 * 10 + 2 * 12 * 8);
  EXPECT_EQ(weight_tensors(graph, graph.nodes.back()).size(), 2U);
}

TEST(ExpertsShape, RefusesScoresOfOthers) {
  EXPECT_THROW(infer_shape(Experts{.count = 4, .per_token = 2, .inner = 8}, {{2, 3, 8}, {2, 3, 5}}),
               InputError);
  EXPECT_THROW(infer_shape(Experts{.count = 4, .per_token = 5, .inner = 8}, {{2, 3, 8}, {2, 3, 4}}),
               InputError);
}

// The state of a value head is 16 x 8: read, changed and read at each of 2 x 5 places and 4 heads.
TEST(DeltaRuleCost, GrowsWithTheLengthAlone) {
  GraphBuilder g("delta");
  const Tensor q = g.add(Parameter{{2, 5, 32}}, {});
  const Tensor k = g.add(Parameter{{2, 5, 32}}, {});
  const Tensor v = g.add(Parameter{{2, 5, 32}}, {});
  const Tensor forget = g.add(Parameter{{2, 5, 4}}, {});
  const Tensor write = g.add(Parameter{{2, 5, 4}}, {});
  const Graph graph = g.finish(g.add(DeltaRule{2, 4}, {q, k, v, forget, write}));
  EXPECT_EQ(cost(graph).ops.back().macs, 2 * 5 * 4 * 3 * 16 * 8);
  EXPECT_EQ(cost(graph).ops.back().parameters, 2 * 4);
}

}  // namespace
}  // namespace sextant::nets
