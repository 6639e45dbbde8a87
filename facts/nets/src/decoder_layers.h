// Layers of a decoder of any family, line by line: what a graph of one is made of.
#pragma once

#include "sextant/nets/builder.h"
#include "sextant/nets/decoder.h"

namespace sextant::nets {

class DecoderLayers {
 public:
  DecoderLayers(GraphBuilder& g, const Decoder& d) : g_(g), d_(d) {}

  Tensor norm(Tensor x);
  Tensor layer(Tensor x, std::int64_t index);

 private:
  Tensor attend(Tensor x, std::int64_t index);
  Tensor grouped(Tensor x, std::int64_t index);
  Tensor latent(Tensor x);
  Tensor linear(Tensor x);
  Tensor mamba(Tensor x);
  Tensor mlp(Tensor x, std::int64_t width);
  Tensor experts(Tensor x);
  Tensor feed_forward(Tensor x, std::int64_t index);
  Tensor place(Tensor x, std::int64_t heads, std::int64_t turned);  // rotated where positions are
  Tensor query_norm(Tensor x, std::int64_t heads);
  Tensor head_norm(Tensor x, std::int64_t heads);
  Tensor part(Tensor x, std::int64_t begin, std::int64_t end);  // of the features
  Tensor multiply(Tensor a, Tensor b) { return g_.add(Binary{Arithmetic::multiply}, {a, b}); }

  GraphBuilder& g_;
  const Decoder& d_;
};

}  // namespace sextant::nets
