// BERT (Devlin et al. 2018, arXiv 1810.04805): layer norm after each half of a layer. Two graphs per
// size: `bert-base` ends in the pooler and a classifier, `bert-base-pretraining` adds the head that
// guesses masked words, its projection tied to the token table. All tokens belong to segment A.
#include <array>
#include <nlohmann/json.hpp>

#include "decoder_json.h"
#include "sextant/nets/network.h"
#include "transformer_blocks.h"

namespace sextant::nets::zoo_bert {
namespace {

using namespace transformer;

constexpr std::int64_t kVocabulary = 30522;
constexpr std::int64_t kLength = 512;
constexpr std::int64_t kSegments = 2;
constexpr double kDropout = 0.1;

struct Variant {
  const char* id;
  const char* alias;
  std::int64_t hidden;
  int layers;
  std::int64_t heads;
  bool pretraining;
  std::int64_t parameters;
};

// Published encoder with pooler: 109,482,240 and 335,141,888. The classifier adds 2h + 2; the head for
// masked words adds h² + h for its dense layer, 2h for its layer norm, and a bias per word.
constexpr std::array<Variant, 4> kVariants = {{
    {"bert-base", "bert", 768, 12, 12, false, 109482240 + 1538},
    {"bert-large", "bert_large", 1024, 24, 16, false, 335141888 + 2050},
    {"bert-base-pretraining", "bert_pretraining", 768, 12, 12, true, 110106428},
    {"bert-large-pretraining", "bert_large_pretraining", 1024, 24, 16, true,
     335141888 + 2050 + 1049600 + 2048 + 30522},
}};

Tensor embed(GraphBuilder& g, Tensor words) {
  const Tensor segments = g.add(Parameter{{kSegments, g.shape(words).back()}}, {}, "segments");
  Tensor x = g.sum(words, g.add(Slice{.axis = 0, .begin = 0, .end = 1}, {segments}));
  x = add_positions(g, x, {.entries = kLength});
  return g.dropout(g.layer_norm(x), kDropout);
}

Tensor encoder_layer(GraphBuilder& g, Tensor x, const Variant& v) {
  const Tensor q = split_heads(g, g.linear(x, v.hidden), v.heads);
  const Tensor k = split_heads(g, g.linear(x, v.hidden), v.heads);
  const Tensor values = split_heads(g, g.linear(x, v.hidden), v.heads);
  const Tensor mixed = g.linear(attention(g, {q, k, values}, {.dropout = kDropout}), v.hidden);
  x = g.layer_norm(g.sum(x, g.dropout(mixed, kDropout)));
  return g.layer_norm(g.sum(x, g.dropout(mlp(g, x, {.inner = 4 * v.hidden}), kDropout)));
}

// The first token, through a dense layer with tanh.
Tensor pool(GraphBuilder& g, Tensor x) {
  const Shape s = g.shape(x);
  const Tensor first = g.add(Slice{.axis = 1, .begin = 0, .end = 1}, {x});
  return g.activation(g.linear(g.add(Reshape{{s.at(0), s.at(2)}}, {first}), s.at(2)), Function::tanh);
}

// Not tied_linear(): the projection to words has a bias of its own.
Graph finish_pretraining(GraphBuilder& g, Tensor x, Tensor classified, Tensor words) {
  const Tensor transformed = g.layer_norm(g.activation(g.linear(x, g.shape(x).back()), Function::gelu));
  const Tensor guesses = g.linear(transformed, kVocabulary);
  Graph graph = g.finish({guesses, classified});
  graph.nodes.at(static_cast<std::size_t>(guesses.id)).weight_of = words.id;
  return graph;
}

Graph build_bert(const Variant& v, const Sizes& sizes) {
  GraphBuilder g(v.id);
  const Tensor words = g.add(Embedding{kVocabulary, v.hidden}, {g.tokens(sizes.batch, sizes.seq)}, "words");
  Tensor x = embed(g, words);
  for (int i = 0; i < v.layers; ++i) {
    g.scope("layer" + std::to_string(i) + ".");
    x = encoder_layer(g, x, v);
  }
  g.scope("");
  const Tensor pooled = pool(g, x);
  if (v.pretraining) return finish_pretraining(g, x, g.linear(pooled, sizes.classes), words);
  return g.finish(g.linear(g.dropout(pooled, kDropout), sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back(
        {.id = v.id,
         .summary = v.pretraining ? "BERT encoder with the heads of its pre-training"
                                  : "BERT encoder with pooler and a classifier of sentences",
         .reference = "Devlin et al. 2018, arXiv 1810.04805",
         .input = InputKind::tokens,
         .defaults = {.image = 0, .seq = kLength, .classes = 2},
         .documented = Documented{v.parameters, 0, "released uncased checkpoints, plus heads by hand"},
         .aliases = {v.alias},
         .build = [v](const Sizes& sizes) { return build_bert(v, sizes); },
         .decoder = zoo_decoder(v.id, {{"model_type", "bert"},
                                       {"hidden_size", v.hidden},
                                       {"num_hidden_layers", v.layers},
                                       {"num_attention_heads", v.heads},
                                       {"intermediate_size", 4 * v.hidden},
                                       {"vocab_size", kVocabulary},
                                       {"type_vocab_size", kSegments},
                                       {"max_position_embeddings", kLength}})});
  }
  return family;
}

}  // namespace sextant::nets::zoo_bert
