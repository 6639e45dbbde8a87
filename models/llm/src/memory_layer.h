// What one token leaves behind in a layer of a decoder for the backward pass.
#pragma once

#include "sextant/llm/memory.h"

namespace sextant::llm {

// Bytes of a token, the mean over the layers.
struct LayerBytes {
  double shared = 0;  // a whole token on each tensor rank, unless sequences are split (sequence parallelism)
  double split = 0;   // over tensor ranks, always
  double scores = 0;  // of attention that is not fused; split over tensor ranks
  double input = 0;   // of the layer alone: all that full recomputation keeps; shared
  double chosen_shared = 0;  // kept by a framework that chooses among products
  double chosen_split = 0;
};
LayerBytes layer_bytes(const MemoryQuestion& question);

}  // namespace sextant::llm
