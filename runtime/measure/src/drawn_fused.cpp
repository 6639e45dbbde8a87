// Drawn decoders of today: attention in one kernel, turned positions, routed experts, states that are kept.
#include "drawn_layers.h"

namespace sextant::measure {
namespace {

using nets::GraphBuilder;
using nets::Tensor;

struct FusedSizes {
  std::int64_t heads = 1;
  std::int64_t groups = 1;  // of keys and values
  std::int64_t size = 32;   // of a head

  [[nodiscard]] std::int64_t features() const { return heads * size; }
};

FusedSizes fused_sizes(LayerDraws& draws) {
  FusedSizes sizes;
  sizes.heads = draws.pick<std::int64_t>({2, 4, 6, 8, 12});
  sizes.groups = sizes.heads / draws.pick<std::int64_t>({1, 1, 2});
  sizes.size = draws.pick<std::int64_t>({16, 32, 32, 64});
  return sizes;
}

Tensor scaled(GraphBuilder& g, Tensor x) {
  return g.add(nets::LayerNorm{.scale = true, .bias = false, .centre = false}, {x});
}

Tensor fused_attention(GraphBuilder& g, LayerDraws& draws, Tensor x, const FusedSizes& sizes) {
  const Tensor q = g.add(nets::Rotary{.heads = sizes.heads}, {g.linear(x, sizes.features(), false)});
  const Tensor k =
      g.add(nets::Rotary{.heads = sizes.groups}, {g.linear(x, sizes.groups * sizes.size, false)});
  const Tensor v = g.linear(x, sizes.groups * sizes.size, false);
  nets::Attention op{.heads = sizes.heads, .kv_heads = sizes.groups, .mask = {.causal = draws.chance(0.8)}};
  op.sinks = draws.chance(0.2);
  return g.linear(g.add(op, {q, k, v}), sizes.features(), false);
}

// A state that is kept from place to place: one that is corrected (the delta rule), or that is only added to.
Tensor kept_state(GraphBuilder& g, Tensor x, const FusedSizes& sizes, bool corrects) {
  const std::int64_t features = sizes.groups * sizes.size;
  const auto numbers = [&] {
    return g.activation(g.linear(x, sizes.groups, false), nets::Function::sigmoid);
  };
  const Tensor forget = numbers();
  std::vector<Tensor> inputs = {g.linear(x, features, false), g.linear(x, features, false),
                                g.linear(x, features, false), forget};
  if (corrects) inputs.push_back(numbers());
  const nets::DeltaRule op{.key_heads = sizes.groups, .value_heads = sizes.groups, .corrects = corrects};
  return g.linear(g.add(op, inputs), sizes.features(), false);
}

Tensor routed(GraphBuilder& g, LayerDraws& draws, Tensor x) {
  const auto features = static_cast<double>(g.shape(x).back());
  nets::Experts op{.count = draws.pick<std::int64_t>({4, 8, 16}), .per_token = draws.whole(1, 2)};
  op.inner = draws.width(features, 2 * features);
  op.gated = draws.chance(0.7);
  return g.add(op, {x, g.linear(x, op.count, false)});
}

}  // namespace

// States go from place to place, so sequences are short.
nets::Graph drawn_fused_decoder(const std::string& name, LayerDraws draws, std::int64_t batch) {
  GraphBuilder g(name);
  const FusedSizes sizes = fused_sizes(draws);
  const std::int64_t places =
      std::max<std::int64_t>(8, std::lround(draws.about(48, 400) / static_cast<double>(batch)));
  const std::int64_t words = std::lround(draws.about(300, 8000));
  Tensor x = g.add(nets::Embedding{words, sizes.features()}, {g.tokens(batch, places)});
  const std::int64_t layers = draws.whole(2, 3);
  for (std::int64_t i = 0; i < layers; ++i) {
    x = g.sum(x, fused_attention(g, draws, scaled(g, x), sizes));
    x = g.sum(x, routed(g, draws, scaled(g, x)));
    for (const bool corrects : {true, false}) x = g.sum(x, kept_state(g, scaled(g, x), sizes, corrects));
  }
  return g.finish(g.linear(scaled(g, x), words, false));
}

}  // namespace sextant::measure
