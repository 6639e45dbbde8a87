// Decoder-only language models of the GPT-2 layout (Radford et al. 2019): layer norm before each half
// of a layer, queries, keys and values from one projection, output projection tied to the token table.
// The GPT-3 sizes (Brown et al. 2020, arXiv 2005.14165) keep GPT-2's vocabulary and dense attention, as
// in the configurations that NeuSight timed (Lee et al. 2025, arXiv 2407.13853).
#include <array>
#include <nlohmann/json.hpp>

#include "decoder_json.h"
#include "sextant/nets/network.h"
#include "transformer_blocks.h"

namespace sextant::nets::zoo_gpt {
namespace {

using namespace transformer;

constexpr std::int64_t kVocabulary = 50257;
constexpr double kDropout = 0.1;

struct Variant {
  const char* id;
  const char* alias;  // mostly NeuSight's spelling
  const char* summary;
  std::int64_t hidden;
  int layers;
  std::int64_t heads;
  std::int64_t positions;
  std::int64_t parameters;  // published; 0 where the configuration has no such figure
};

constexpr std::array<Variant, 8> kVariants = {{
    {"gpt2", "gpt2-small", "GPT-2, 124 million parameters", 768, 12, 12, 1024, 124439808},
    {"gpt2-medium", "gpt2_med", "GPT-2, 355 million parameters", 1024, 24, 16, 1024, 354823168},
    {"gpt2-large", "gpt2_large", "GPT-2, 774 million parameters", 1280, 36, 20, 1024, 774030080},
    {"gpt2-xl", "gpt2_xl", "GPT-2, 1.5 billion parameters", 1600, 48, 25, 1024, 1557611200},
    // The paper's table says 24 heads of 128 for a width of 2048; here the heads decide.
    {"gpt3-xl", "gpt3_xl", "GPT-3 XL with 24 heads of 128, hence width 3072", 3072, 24, 24, 2048, 0},
    {"gpt3-2.7b", "gpt3_27", "GPT-3 layout, 2.7 billion parameters", 2560, 32, 32, 2048, 0},
    {"gpt3-6.7b", "gpt3_67", "GPT-3 layout, 6.7 billion parameters", 4096, 32, 32, 2048, 0},
    {"gpt3-13b", "gpt3_13", "GPT-3 layout, 13 billion parameters", 5120, 40, 40, 2048, 0},
}};

Graph build_gpt(const Variant& v, const Sizes& sizes) {
  GraphBuilder g(v.id);
  const Tensor words = g.add(Embedding{kVocabulary, v.hidden}, {g.tokens(sizes.batch, sizes.seq)}, "words");
  Tensor x = g.dropout(add_positions(g, words, {.entries = v.positions}), kDropout);
  for (int i = 0; i < v.layers; ++i) {
    g.scope("layer" + std::to_string(i) + ".");
    x = g.sum(x,
              g.dropout(fused_self_attention(g, g.layer_norm(x), v.heads, {.dropout = kDropout}), kDropout));
    x = g.sum(x,
              g.dropout(mlp(g, g.layer_norm(x), {.inner = 4 * v.hidden, .activation = Function::gelu_tanh}),
                        kDropout));
  }
  g.scope("");
  return g.finish(g.tied_linear(g.layer_norm(x), words));
}

std::optional<Documented> documented(const Variant& v) {
  if (v.parameters == 0) return std::nullopt;
  return Documented{v.parameters, 0, "parameter counts of the released GPT-2 checkpoints"};
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back({.id = v.id,
                      .summary = v.summary,
                      .reference = v.positions == 1024
                                       ? "Radford et al. 2019 (GPT-2)"
                                       : "Brown et al. 2020, arXiv 2005.14165; GPT-2 vocabulary, "
                                         "dense attention as in NeuSight (arXiv 2407.13853)",
                      .input = InputKind::tokens,
                      .defaults = {.image = 0, .seq = v.positions, .classes = 0},
                      .documented = documented(v),
                      .aliases = {v.alias},
                      .build = [v](const Sizes& sizes) { return build_gpt(v, sizes); },
                      .decoder = zoo_decoder(v.id, {{"model_type", "gpt2"},
                                                    {"n_embd", v.hidden},
                                                    {"n_layer", v.layers},
                                                    {"n_head", v.heads},
                                                    {"vocab_size", kVocabulary},
                                                    {"n_positions", v.positions}})});
  }
  return family;
}

}  // namespace sextant::nets::zoo_gpt
