#include "decoder_graph.h"

#include <algorithm>
#include <filesystem>

#include "decoder_layers.h"
#include "sextant/nets/decoder_config.h"
#include "t5_blocks.h"

namespace sextant::nets {
namespace {

constexpr std::int64_t kLongestDefault = 4096;

Tensor embed_words(GraphBuilder& g, const Decoder& d, Tensor words) {
  Tensor x = words;
  if (g.shape(x).back() != d.hidden) x = g.linear(x, d.hidden, false);
  if (d.segments > 0) {
    const Tensor segments = g.add(Parameter{{d.segments, d.hidden}}, {}, "segments");
    x = g.sum(x, g.add(Slice{.axis = 0, .begin = 0, .end = 1}, {segments}));
  }
  if (d.position_rows > 0) {
    x = transformer::add_positions(g, x,
                                   {.entries = d.position_rows, .offset = d.position_rows - d.max_positions});
  }
  return x;
}

// The first token, through a square projection.
Tensor pooled_token(GraphBuilder& g, Tensor x) {
  const Shape s = g.shape(x);
  const Tensor first = g.add(Slice{.axis = 1, .begin = 0, .end = 1}, {x});
  return g.activation(g.linear(g.add(Reshape{{s.at(0), s.at(2)}}, {first}), s.at(2)), Function::tanh);
}

Tensor run_layers(GraphBuilder& g, const Decoder& d, Tensor x) {
  DecoderLayers layers(g, d);
  if (d.embedding_norm) x = layers.norm(x);
  for (std::int64_t i = 0; i < d.layers; ++i) {
    g.scope("layer" + std::to_string(i) + ".");
    x = layers.layer(x, i);
  }
  g.scope("");
  return d.final_norm ? layers.norm(x) : x;
}

Graph text_graph(const Decoder& d, const Sizes& sizes) {
  GraphBuilder g(d.name);
  const std::int64_t width = d.embedding_width > 0 ? d.embedding_width : d.hidden;
  const Tensor words = g.add(Embedding{d.vocab, width}, {g.tokens(sizes.batch, sizes.seq)}, "words");
  Tensor x = run_layers(g, d, embed_words(g, d, words));
  if (d.pooler) return g.finish(pooled_token(g, x));
  if (!d.head) return g.finish(x);
  if (width != d.hidden) x = g.linear(x, width, false);
  return g.finish(d.tied ? g.tied_linear(x, words) : g.linear(x, d.vocab, d.bias.head));
}

Graph vision_graph(const Decoder& d, const Sizes& sizes) {
  GraphBuilder g(d.name);
  const Tensor image = g.image(sizes.batch, d.channels, sizes.image, sizes.image);
  const Tensor map = g.conv(image, d.hidden, square(d.patch), {.stride = square(d.patch)});
  const Shape s = g.shape(map);
  const Tensor flat = g.add(Reshape{{s.at(0), s.at(1), s.at(2) * s.at(3)}}, {map});
  const Tensor patches = g.add(Transpose{{0, 2, 1}}, {flat});
  const Tensor token = g.add(Parameter{{1, 1, d.hidden}}, {}, "class_token");
  Tensor x = g.concat({g.add(Expand{{s.at(0), 1, d.hidden}}, {token}), patches}, 1);
  x = run_layers(g, d, transformer::add_positions(g, x, {}));
  x = g.add(Slice{.axis = 1, .begin = 0, .end = 1}, {x});
  return g.finish(g.linear(g.flatten(x), sizes.classes));
}

// As frameworks run it: its learned distances are added to scores that stand in memory.
Graph encoder_decoder_graph(const Decoder& d, const Sizes& sizes) {
  using namespace transformer;
  const T5Layout layout{.id = d.name.c_str(),
                        .hidden = d.hidden,
                        .heads = d.heads,
                        .head_size = d.head_dim,
                        .layers = static_cast<int>(d.encoder_layers),
                        .norm = {.bias = false, .centre = false},
                        .decoder_layers = static_cast<int>(d.layers),
                        .vocabulary = d.vocab,
                        .buckets = d.relative_buckets,
                        .tied = d.tied};
  return build_t5(
      layout,
      [&](GraphBuilder& g, Tensor normed, int) {
        const Function function = d.gated ? Function::gelu : Function::relu;
        Tensor inner = g.activation(g.linear(normed, d.ffn, false), function);
        if (d.gated) inner = g.add(Binary{Arithmetic::multiply}, {inner, g.linear(normed, d.ffn, false)});
        return g.linear(g.dropout(inner, kT5Dropout), d.hidden, false);
      },
      sizes);
}

}  // namespace

Graph decoder_graph(const Decoder& decoder, const Sizes& sizes) {
  if (decoder.kind == TransformerKind::vision) return vision_graph(decoder, sizes);
  if (decoder.kind == TransformerKind::encoder_decoder) return encoder_decoder_graph(decoder, sizes);
  return text_graph(decoder, sizes);
}

Network decoder_network(const Decoder& decoder, std::int64_t length) {
  const auto shared = std::make_shared<const Decoder>(decoder);
  const bool vision = decoder.kind == TransformerKind::vision;
  Network network{.id = decoder.name,
                  .summary = "transformer of family " + decoder.family,
                  .reference = decoder.source,
                  .input = vision ? InputKind::image : InputKind::tokens,
                  .defaults = {.image = 0, .seq = length, .classes = 0},
                  .build = [shared](const Sizes& sizes) { return decoder_graph(*shared, sizes); },
                  .decoder = shared};
  if (vision) {
    network.defaults = {
        .image = decoder.image, .seq = 0, .classes = decoder.classes, .smallest_image = decoder.patch};
  }
  return network;
}

Network read_decoder_network(const std::string& path) {
  const bool folder = std::filesystem::is_directory(path);
  const std::string file = folder ? (std::filesystem::path(path) / "config.json").string() : path;
  const Decoder decoder = read_decoder_config(file);
  const std::int64_t length = decoder.max_positions > 0 ? decoder.max_positions : kLongestDefault;
  Network network = decoder_network(decoder, std::min(length, kLongestDefault));
  network.id = path;
  return network;
}

}  // namespace sextant::nets
