#include "t5_blocks.h"

#include <cmath>

namespace sextant::nets::transformer {
namespace {

class T5Builder : public GraphBuilder {
 public:
  T5Builder(const T5Layout& layout, const FeedForward& feed_forward)
      : GraphBuilder(layout.id), layout_(layout), feed_forward_(feed_forward) {}

  // The decoder is the same stack with attention to the encoder's result in each layer.
  Tensor stack(Tensor x, std::optional<Tensor> encoded) {
    const std::string name = encoded ? "decoder" : "encoder";
    scope(name + ".");
    const Tensor bias = position_bias(shape(x).at(1));
    x = dropout(x, kT5Dropout);
    const int layers = encoded && layout_.decoder_layers > 0 ? layout_.decoder_layers : layout_.layers;
    for (int i = 0; i < layers; ++i) {
      scope(name + std::to_string(i) + ".");
      x = attend(x, x, bias);
      if (encoded) x = attend(x, *encoded, {});
      x = sum(x, dropout(feed_forward_(*this, norm(x), i), kT5Dropout));
    }
    scope(name + ".");
    return dropout(norm(x), kT5Dropout);
  }

 private:
  Tensor norm(Tensor x) { return add(layout_.norm, {x}); }

  // A number per head for each pair of positions, shared by all layers of a stack.
  Tensor position_bias(std::int64_t length) {
    const Tensor distances = add(Input{{length, length}, true}, {}, "distances");
    const Tensor bias = add(Embedding{layout_.buckets, layout_.heads}, {distances});
    return add(Transpose{{2, 0, 1}}, {bias});
  }

  // Queries from x, keys and values from the source (x itself, or the encoder's result).
  Tensor attend(Tensor x, Tensor source, std::optional<Tensor> bias) {
    const Tensor normed = norm(x);
    const Tensor from = source.id == x.id ? normed : source;
    const auto project = [&](Tensor t) {
      return split_heads(*this, linear(t, layout_.heads * layout_.head_size, false), layout_.heads);
    };
    const Tensor q = project(normed);
    const Tensor k = project(from);
    const Tensor v = project(from);
    const Tensor mixed =
        attention(*this, {q, k, v}, {.scale = ScaleBy::nothing, .bias = bias, .dropout = kT5Dropout});
    return sum(x, dropout(linear(mixed, layout_.hidden, false), kT5Dropout));
  }

  const T5Layout& layout_;
  const FeedForward& feed_forward_;
};

}  // namespace

Graph build_t5(const T5Layout& layout, const FeedForward& feed_forward, const Sizes& sizes) {
  T5Builder g(layout, feed_forward);
  const Embedding table{layout.vocabulary, layout.hidden};
  const Tensor source = g.add(table, {g.tokens(sizes.batch, sizes.seq)}, "words");
  const Tensor encoded = g.stack(source, {});
  const Tensor target = g.add(table, {g.tokens(sizes.batch, sizes.seq)}, "words");
  const Tensor decoded = g.stack(target, encoded);
  g.scope("");
  const Scale scale{1 / std::sqrt(static_cast<double>(layout.hidden))};
  Graph graph = g.finish(layout.tied ? g.tied_linear(g.add(scale, {decoded}), source)
                                     : g.linear(decoded, layout.vocabulary, false));
  graph.nodes.at(static_cast<std::size_t>(target.id)).weight_of = source.id;
  return graph;
}

}  // namespace sextant::nets::transformer
