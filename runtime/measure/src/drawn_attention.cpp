#include "drawn_attention.h"

namespace sextant::measure {

using nets::Function;
using nets::GraphBuilder;
using nets::Tensor;

Tensor heads_apart(GraphBuilder& g, Tensor x, std::int64_t heads) {
  const nets::Shape s = g.shape(x);
  return g.add(nets::Transpose{{0, 2, 1, 3}}, {g.add(nets::Reshape{{s[0], s[1], heads, s[2] / heads}}, {x})});
}

Tensor heads_together(GraphBuilder& g, Tensor x) {
  const nets::Shape s = g.shape(x);
  return g.add(nets::Reshape{{s[0], s[2], s[1] * s[3]}}, {g.add(nets::Transpose{{0, 2, 1, 3}}, {x})});
}

Tensor drawn_products(GraphBuilder& g, LayerDraws& draws, const DrawnHeads& heads,
                      const DrawnScores& options) {
  const nets::Scale scale{1 / std::sqrt(static_cast<double>(g.shape(heads.q).back()))};
  const bool queries = draws.chance(0.5);
  const Tensor q = queries ? g.add(scale, {heads.q}) : heads.q;
  Tensor scores;
  if (draws.chance(0.5)) {
    scores = g.add(nets::MatMul{.transpose_b = true}, {q, heads.k});
  } else {
    std::vector<int> order = {0, 2, 1};
    if (g.shape(heads.k).size() == 4) order = {0, 1, 3, 2};
    scores = g.add(nets::MatMul{}, {q, g.add(nets::Transpose{order}, {heads.k})});
  }
  if (!queries) scores = g.add(scale, {scores});
  if (options.mask && options.keeps) {
    const Tensor low = g.add(nets::Constant{{1}, false, {-1e9}}, {});
    scores = g.add(nets::Where{}, {*options.mask, scores, low});
  } else if (options.mask) {
    scores = g.sum(scores, *options.mask);
  }
  Tensor shares = g.activation(scores, Function::softmax);
  if (options.dropout > 0) shares = g.dropout(shares, options.dropout);
  return g.add(nets::MatMul{}, {shares, heads.v});
}

Tensor drawn_feed_forward(GraphBuilder& g, LayerDraws& draws, Tensor x) {
  const std::int64_t features = g.shape(x).back();
  const auto inner = features * draws.whole(2, 4);
  const auto function =
      draws.pick({Function::gelu, Function::gelu, Function::gelu_tanh, Function::silu, Function::relu});
  const bool drops = draws.chance(0.4);
  Tensor y = g.activation(g.linear(g.layer_norm(x), inner), function);
  if (drops) y = g.dropout(y, 0.1);
  return g.sum(x, g.linear(y, features));
}

}  // namespace sextant::measure
