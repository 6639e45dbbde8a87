// The encoder-decoder of T5 (Raffel et al. 2019, arXiv 1910.10683), which others have built on: a norm before
// each part of a layer, projections without bias, scores that are not scaled, and a learned number per head
// for each distance of positions. Both stacks read as many tokens.
#pragma once

#include <functional>

#include "sextant/nets/network.h"
#include "transformer_blocks.h"

namespace sextant::nets::transformer {

struct T5Layout {
  const char* id;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t head_size = 0;
  int layers = 0;  // of the encoder, and of the decoder unless it says otherwise
  LayerNorm norm = {};
  int decoder_layers = 0;  // 0: as many as the encoder
  std::int64_t vocabulary = 32128;
  std::int64_t buckets = 32;  // of distances between positions
  bool tied = true;
};

constexpr double kT5Dropout = 0.1;

// What comes after attention: from the normed values of a layer, whose number counts from 0.
using FeedForward = std::function<Tensor(GraphBuilder&, Tensor normed, int layer)>;

// One table of words for both stacks, and for the result where it is tied.
Graph build_t5(const T5Layout& layout, const FeedForward& feed_forward, const Sizes& sizes);

}  // namespace sextant::nets::transformer
