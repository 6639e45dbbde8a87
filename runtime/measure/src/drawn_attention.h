// Attention in the ways that networks write it down, for drawn networks.
#pragma once

#include <optional>

#include "drawn_layers.h"

namespace sextant::measure {

// [batch, heads, positions, features of a head], or [heads of all samples, positions, features].
struct DrawnHeads {
  nets::Tensor q, k, v;
};

struct DrawnScores {
  double dropout = 0;
  std::optional<nets::Tensor> mask = {};  // added to the scores
  bool keeps = false;                     // scores are replaced where the mask is 0, instead
};

// Scaled products of q and k, softmax, product with v; heads stay apart.
nets::Tensor drawn_products(nets::GraphBuilder& g, LayerDraws& draws, const DrawnHeads& heads,
                            const DrawnScores& scores);

// [batch, positions, features] to heads and back.
nets::Tensor heads_apart(nets::GraphBuilder& g, nets::Tensor x, std::int64_t heads);
nets::Tensor heads_together(nets::GraphBuilder& g, nets::Tensor x);

// Two linear layers with a function between them, after a norm and beside a short cut.
nets::Tensor drawn_feed_forward(nets::GraphBuilder& g, LayerDraws& draws, nets::Tensor x);

}  // namespace sextant::measure
