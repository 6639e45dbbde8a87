// The decoder layer that Llama made common: root-mean-square norms, rotated queries and keys instead of
// learned positions, fewer heads for keys and values than for queries, and an MLP with a gate; no biases.
// Tables of angles hold no values: they do not change times.
#pragma once

#include <cstdint>

#include "sextant/nets/builder.h"

namespace sextant::nets::transformer {

struct DecoderLayout {
  std::int64_t hidden = 0;
  int layers = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;  // each serves heads / kv_heads heads of queries
  std::int64_t inner = 0;     // width of the MLP
  std::int64_t vocabulary = 0;
};

// Zhang, Sennrich 2019, arXiv 1910.07467.
Tensor rms_norm(GraphBuilder& g, Tensor x);

// Cosines and sines for each position and place of a head: [position, head size].
struct Angles {
  Tensor cosines;
  Tensor sines;
};
Angles angles(GraphBuilder& g, std::int64_t length, std::int64_t head_size);

Tensor decoder_layer(GraphBuilder& g, Tensor x, const DecoderLayout& layout, const Angles& by);

}  // namespace sextant::nets::transformer
