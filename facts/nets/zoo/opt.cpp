// OPT (Zhang et al. 2022, arXiv 2205.01068): GPT layout with ReLU, separate projections for queries,
// keys and values, queries scaled before the product, and two unused rows in the table of positions.
#include <array>
#include <nlohmann/json.hpp>

#include "decoder_json.h"
#include "sextant/nets/network.h"
#include "transformer_blocks.h"

namespace sextant::nets::zoo_opt {
namespace {

using namespace transformer;

constexpr std::int64_t kVocabulary = 50272;
constexpr std::int64_t kLength = 2048;
constexpr std::int64_t kUnusedPositions = 2;
constexpr double kDropout = 0.1;

struct Variant {
  const char* id;
  const char* alias;
  const char* summary;
  std::int64_t hidden;
  int layers;
  std::int64_t heads;
  std::int64_t parameters;
};

constexpr std::array<Variant, 2> kVariants = {{
    {"opt-1.3b", "opt_13", "OPT, 1.3 billion parameters", 2048, 24, 32, 1315758080},
    {"opt-tiny", "opt", "OPT layout with one layer of width 512, for quick tests", 512, 1, 8, 0},
}};

Tensor self_attention(GraphBuilder& g, Tensor x, std::int64_t heads) {
  const std::int64_t hidden = g.shape(x).back();
  const Tensor q = split_heads(g, g.linear(x, hidden), heads);
  const Tensor k = split_heads(g, g.linear(x, hidden), heads);
  const Tensor v = split_heads(g, g.linear(x, hidden), heads);
  return g.linear(attention(g, {q, k, v}, {.scale = ScaleBy::queries}), hidden);
}

Graph build_opt(const Variant& v, const Sizes& sizes) {
  GraphBuilder g(v.id);
  const Tensor words = g.add(Embedding{kVocabulary, v.hidden}, {g.tokens(sizes.batch, sizes.seq)}, "words");
  Tensor x = add_positions(g, words, {.entries = kLength + kUnusedPositions, .offset = kUnusedPositions});
  for (int i = 0; i < v.layers; ++i) {
    g.scope("layer" + std::to_string(i) + ".");
    x = g.sum(x, g.dropout(self_attention(g, g.layer_norm(x), v.heads), kDropout));
    const Tensor wide = mlp(g, g.layer_norm(x), {.inner = 4 * v.hidden, .activation = Function::relu});
    x = g.sum(x, g.dropout(wide, kDropout));
  }
  g.scope("");
  return g.finish(g.tied_linear(g.layer_norm(x), words));
}

std::optional<Documented> documented(const Variant& v) {
  if (v.parameters == 0) return std::nullopt;
  return Documented{v.parameters, 0, "parameter count of the released checkpoint"};
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back({.id = v.id,
                      .summary = v.summary,
                      .reference = "Zhang et al. 2022, arXiv 2205.01068",
                      .input = InputKind::tokens,
                      .defaults = {.image = 0, .seq = kLength, .classes = 0},
                      .documented = documented(v),
                      .aliases = {v.alias},
                      .build = [v](const Sizes& sizes) { return build_opt(v, sizes); },
                      .decoder = zoo_decoder(v.id, {{"model_type", "opt"},
                                                    {"hidden_size", v.hidden},
                                                    {"num_hidden_layers", v.layers},
                                                    {"num_attention_heads", v.heads},
                                                    {"ffn_dim", 4 * v.hidden},
                                                    {"vocab_size", kVocabulary},
                                                    {"max_position_embeddings", kLength}})});
  }
  return family;
}

}  // namespace sextant::nets::zoo_opt
