// Drawn networks over tokens: encoders, decoders, recurrent layers.
#include <array>

#include "drawn_attention.h"

namespace sextant::measure {
namespace {

using nets::GraphBuilder;
using nets::Tensor;

// FLOP of a step that a drawn network spends on its blocks: a tenth of a second or two.
constexpr double kBlockWork = 8e9;
constexpr double kFlopOfWeight = 6;  // for each position, forward and backward

struct DrawnSizes {
  std::int64_t heads = 1;
  std::int64_t features = 64;  // of all heads
  std::int64_t positions = 16;
};

// Rows of all samples are drawn rather than positions, and fewer where weights are many.
DrawnSizes attention_sizes(LayerDraws& draws, std::int64_t batch) {
  DrawnSizes sizes;
  sizes.heads = draws.pick<std::int64_t>({1, 2, 3, 4, 6, 8, 8, 12, 12});
  sizes.features = sizes.heads * draws.pick<std::int64_t>({16, 32, 32, 48, 64, 64, 64});
  const double weights = 12 * static_cast<double>(sizes.features * sizes.features);
  const double most = kBlockWork / (kFlopOfWeight * weights);
  const double rows = draws.about(48, std::clamp(most, 64.0, 1500.0));
  sizes.positions = std::max<std::int64_t>(8, std::lround(rows / static_cast<double>(batch)));
  return sizes;
}

Tensor embedded(GraphBuilder& g, LayerDraws& draws, Tensor ids, std::int64_t features) {
  return g.add(nets::Embedding{std::lround(draws.about(300, 30000)), features}, {ids});
}

// The parts of a fused projection, or projections of their own.
std::array<Tensor, 3> projections(GraphBuilder& g, LayerDraws& draws, Tensor x) {
  const std::int64_t features = g.shape(x).back();
  std::array<Tensor, 3> parts;
  if (draws.chance(0.5)) {
    for (Tensor& part : parts) part = g.linear(x, features);
    return parts;
  }
  const Tensor fused = g.linear(x, 3 * features);
  for (std::int64_t i = 0; i < 3; ++i) {
    parts.at(static_cast<std::size_t>(i)) =
        g.add(nets::Slice{.axis = 2, .begin = i * features, .end = (i + 1) * features}, {fused});
  }
  return parts;
}

// As torch exports its multi-head attention: positions first, heads of all samples as one axis.
Tensor positions_first(GraphBuilder& g, LayerDraws& draws, Tensor x, std::int64_t heads) {
  const nets::Shape s = g.shape(x);
  const auto parts = projections(g, draws, g.add(nets::Transpose{{1, 0, 2}}, {x}));
  const auto split = [&](Tensor part) {
    const Tensor rows = g.add(nets::Reshape{{s[1], s[0] * heads, s[2] / heads}}, {part});
    return g.add(nets::Transpose{{1, 0, 2}}, {rows});
  };
  const DrawnHeads apart{split(parts[0]), split(parts[1]), split(parts[2])};
  const Tensor y = g.add(nets::Transpose{{1, 0, 2}}, {drawn_products(g, draws, apart, {})});
  const Tensor rows = g.linear(g.add(nets::Reshape{{s[1] * s[0], s[2]}}, {y}), s[2]);
  return g.add(nets::Transpose{{1, 0, 2}}, {g.add(nets::Reshape{{s[1], s[0], s[2]}}, {rows})});
}

Tensor samples_first(GraphBuilder& g, LayerDraws& draws, Tensor x, std::int64_t heads) {
  const auto parts = projections(g, draws, x);
  const DrawnHeads apart{heads_apart(g, parts[0], heads), heads_apart(g, parts[1], heads),
                         heads_apart(g, parts[2], heads)};
  const double dropout = draws.chance(0.4) ? 0.1 : 0;
  const Tensor y = drawn_products(g, draws, apart, {.dropout = dropout});
  return g.linear(heads_together(g, y), g.shape(x).back());
}

Tensor one_sided(LayerDraws& draws, GraphBuilder& g, std::int64_t positions, bool keeps) {
  nets::Constant mask{{positions, positions}, false, {}};
  for (std::int64_t i = 0; i < positions * positions; ++i) {
    const bool seen = i % positions <= i / positions;
    mask.values.push_back(keeps ? (seen ? 1 : 0) : (seen ? 0 : -1e9));
  }
  if (draws.chance(0.5)) mask.shape = {1, 1, positions, positions};
  return g.add(std::move(mask), {});
}

// Rotary positions (Su et al. 2021) as exporters write them: x cos + (-second half, first half) sin.
Tensor rotated(GraphBuilder& g, Tensor x, Tensor cos, Tensor sin) {
  const std::int64_t size = g.shape(x).back();
  const Tensor first = g.add(nets::Slice{.axis = 3, .begin = 0, .end = size / 2}, {x});
  const Tensor second = g.add(nets::Slice{.axis = 3, .begin = size / 2, .end = size}, {x});
  const Tensor turned = g.concat({g.add(nets::Scale{-1}, {second}), first}, 3);
  const nets::Binary product{nets::Arithmetic::multiply};
  const Tensor straight = g.add(product, {x, cos});
  return g.sum(straight, g.add(product, {turned, sin}));
}

Tensor angles(GraphBuilder& g, std::int64_t positions, std::int64_t size) {
  return g.add(nets::Constant{{positions, size}, false, {0.7}}, {});
}

// Fewer keys than queries: each is used by several heads.
Tensor repeated(GraphBuilder& g, Tensor x, std::int64_t times) {
  const nets::Shape s = g.shape(x);
  const Tensor one = g.add(nets::Reshape{{s[0], s[1], 1, s[2], s[3]}}, {x});
  const Tensor all = g.add(nets::Expand{{s[0], s[1], times, s[2], s[3]}}, {one});
  return g.add(nets::Reshape{{s[0], s[1] * times, s[2], s[3]}}, {all});
}

Tensor causal_block(GraphBuilder& g, LayerDraws& draws, Tensor x, const DrawnSizes& sizes) {
  const std::int64_t size = sizes.features / sizes.heads;
  const std::int64_t shared = sizes.heads % 2 == 0 ? draws.pick<std::int64_t>({1, 2, 2}) : 1;
  const std::int64_t groups = sizes.heads / shared;
  const nets::LayerNorm norm{.scale = true, .bias = false, .centre = false};
  const Tensor y = g.add(norm, {x});
  const Tensor cos = angles(g, sizes.positions, size);
  const Tensor sin = angles(g, sizes.positions, size);
  DrawnHeads heads{heads_apart(g, g.linear(y, sizes.features, false), sizes.heads),
                   heads_apart(g, g.linear(y, groups * size, false), groups),
                   heads_apart(g, g.linear(y, groups * size, false), groups)};
  heads.q = rotated(g, heads.q, cos, sin);
  heads.k = rotated(g, heads.k, cos, sin);
  if (shared > 1) {
    heads.k = repeated(g, heads.k, shared);
    heads.v = repeated(g, heads.v, shared);
  }
  const bool keeps = draws.chance(0.5);
  const DrawnScores scores{.mask = one_sided(draws, g, sizes.positions, keeps), .keeps = keeps};
  x = g.sum(x, g.linear(heads_together(g, drawn_products(g, draws, heads, scores)), sizes.features, false));
  const Tensor z = g.add(norm, {x});
  const auto inner =
      draws.width(2.0 * static_cast<double>(sizes.features), 3.0 * static_cast<double>(sizes.features));
  const Tensor gate = g.activation(g.linear(z, inner, false), nets::Function::silu);
  const Tensor gated = g.add(nets::Binary{nets::Arithmetic::multiply}, {gate, g.linear(z, inner, false)});
  return g.sum(x, g.linear(gated, sizes.features, false));
}

}  // namespace

nets::Graph drawn_encoder(const std::string& name, LayerDraws draws, std::int64_t batch) {
  GraphBuilder g(name);
  const DrawnSizes sizes = attention_sizes(draws, batch);
  Tensor x = embedded(g, draws, g.tokens(batch, sizes.positions), sizes.features);
  const Tensor table = g.add(nets::Parameter{{512 + sizes.positions, sizes.features}}, {});
  x = g.sum(x, g.add(nets::Slice{.axis = 0, .begin = 0, .end = sizes.positions}, {table}));
  if (draws.chance(0.5)) x = g.dropout(x, 0.1);
  for (int block = 0; block < 2; ++block) {
    const Tensor y = g.layer_norm(x);
    x = g.sum(
        x, block == 0 ? positions_first(g, draws, y, sizes.heads) : samples_first(g, draws, y, sizes.heads));
    x = drawn_feed_forward(g, draws, x);
  }
  x = g.layer_norm(x);
  if (draws.chance(0.5)) return g.finish(g.linear(g.add(nets::Reduce{nets::Reduction::mean, {1}}, {x}), 100));
  const Tensor first = g.add(nets::Slice{.axis = 1, .begin = 0, .end = 1}, {x});
  return g.finish(g.linear(g.add(nets::Reshape{{batch, sizes.features}}, {first}), 100));
}

nets::Graph drawn_decoder(const std::string& name, LayerDraws draws, std::int64_t batch) {
  GraphBuilder g(name);
  const DrawnSizes sizes = attention_sizes(draws, batch);
  const Tensor ids = g.tokens(batch, sizes.positions);
  const Tensor table = embedded(g, draws, ids, sizes.features);
  Tensor x = table;
  for (int block = 0; block < 2; ++block) x = causal_block(g, draws, x, sizes);
  x = g.add(nets::LayerNorm{.scale = true, .bias = false, .centre = false}, {x});
  if (draws.chance(0.3)) return g.finish(g.tied_linear(x, table));
  return g.finish(g.linear(x, draws.width(200, 8000), false));
}

nets::Graph drawn_recurrence(const std::string& name, LayerDraws draws, std::int64_t batch) {
  using enum nets::Cell;
  GraphBuilder g(name);
  const bool time_first = draws.chance(0.5);
  const int along = time_first ? 0 : 1;
  std::int64_t positions = std::lround(draws.about(40, 240));
  Tensor x = embedded(g, draws, g.tokens(batch, positions), draws.width(16, 300));
  if (time_first) x = g.add(nets::Transpose{{1, 0, 2}}, {x});
  for (const nets::Cell cell : {lstm, gru, lstm, rnn, lstm, gru, rnn}) {
    const bool both = draws.chance(0.4);
    const std::int64_t hidden = draws.width(24, both ? 300 : 500);
    x = g.add(
        nets::Recurrent{.cell = cell, .hidden = hidden, .bidirectional = both, .time_first = time_first},
        {x});
    if (draws.chance(0.4)) x = g.dropout(x, 0.5);
    if (positions < 16) continue;
    const std::int64_t begin = draws.whole(0, positions / 2);
    x = g.add(nets::Slice{.axis = along, .begin = begin, .end = positions}, {x});
    positions -= begin;
  }
  return g.finish(g.linear(g.add(nets::Reduce{nets::Reduction::mean, {along}}, {x}), 100));
}

}  // namespace sextant::measure
