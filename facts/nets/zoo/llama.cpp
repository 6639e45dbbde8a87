// Llama 2 (Touvron et al. 2023, arXiv 2307.09288), Llama 3 (Grattafiori et al. 2024, arXiv 2407.21783) and
// models of the same layout: TinyLlama (Zhang et al. 2024, arXiv 2401.02385) and Mistral 7B (Jiang et al.
// 2023, arXiv 2310.06825). The projection to words has weights of its own. Attention is dense: Mistral's
// window of 4096 tokens is no restriction up to that length, which is its default here.
#include "decoder_blocks.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_llama {
namespace {

using namespace transformer;

struct Variant {
  const char* id;
  const char* summary;
  const char* reference;
  DecoderLayout layout;
  std::int64_t length;  // tokens in training
  std::int64_t parameters;
  std::vector<std::string> aliases;
};

constexpr const char* kLlama2 = "Touvron et al. 2023, arXiv 2307.09288";
constexpr const char* kLlama3 = "Grattafiori et al. 2024, arXiv 2407.21783";

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"llama-2-7b",
       "Llama 2, 6.7 billion parameters",
       kLlama2,
       {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 32, .inner = 11008, .vocabulary = 32000},
       4096,
       6738415616,
       {"llama2-7b", "llama-2-7b-hf", "meta-llama/llama-2-7b-hf"}},
      {"llama-2-13b",
       "Llama 2, 13 billion parameters",
       kLlama2,
       {.hidden = 5120, .layers = 40, .heads = 40, .kv_heads = 40, .inner = 13824, .vocabulary = 32000},
       4096,
       13015864320,
       {"llama2-13b", "llama-2-13b-hf", "meta-llama/llama-2-13b-hf"}},
      {"llama-2-70b",
       "Llama 2, 69 billion parameters, grouped queries",
       kLlama2,
       {.hidden = 8192, .layers = 80, .heads = 64, .kv_heads = 8, .inner = 28672, .vocabulary = 32000},
       4096,
       68976648192,
       {"llama2-70b", "llama-2-70b-hf", "meta-llama/llama-2-70b-hf"}},
      {"llama-3-8b",
       "Llama 3 and 3.1, 8 billion parameters, grouped queries",
       kLlama3,
       {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .inner = 14336, .vocabulary = 128256},
       8192,
       8030261248,
       {"llama3-8b", "llama-3.1-8b", "meta-llama/meta-llama-3-8b", "meta-llama/llama-3.1-8b"}},
      {"llama-3-70b",
       "Llama 3 and 3.1, 71 billion parameters, grouped queries",
       kLlama3,
       {.hidden = 8192, .layers = 80, .heads = 64, .kv_heads = 8, .inner = 28672, .vocabulary = 128256},
       8192,
       70553706496,
       {"llama3-70b", "llama-3.1-70b", "meta-llama/meta-llama-3-70b", "meta-llama/llama-3.1-70b"}},
      {"tinyllama-1.1b",
       "TinyLlama, 1.1 billion parameters, grouped queries",
       "Zhang et al. 2024, arXiv 2401.02385",
       {.hidden = 2048, .layers = 22, .heads = 32, .kv_heads = 4, .inner = 5632, .vocabulary = 32000},
       2048,
       1100048384,
       {"tinyllama", "tiny-llama", "tinyllama/tinyllama-1.1b-chat-v1.0"}},
      {"mistral-7b",
       "Mistral 7B, grouped queries",
       "Jiang et al. 2023, arXiv 2310.06825",
       {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .inner = 14336, .vocabulary = 32000},
       4096,
       7241732096,
       {"mistral", "mistral-7b-v0.1", "mistralai/mistral-7b-v0.1"}},
  };
  return all;
}

Graph build_llama(const Variant& v, const Sizes& sizes) {
  const DecoderLayout& layout = v.layout;
  GraphBuilder g(v.id);
  Tensor x = g.add(Embedding{layout.vocabulary, layout.hidden}, {g.tokens(sizes.batch, sizes.seq)}, "words");
  const Angles by = angles(g, sizes.seq, layout.hidden / layout.heads);
  for (int i = 0; i < layout.layers; ++i) {
    g.scope("layer" + std::to_string(i) + ".");
    x = decoder_layer(g, x, layout, by);
  }
  g.scope("");
  return g.finish(g.linear(rms_norm(g, x), layout.vocabulary, false));
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : variants()) {
    family.push_back(
        {.id = v.id,
         .summary = v.summary,
         .reference = v.reference,
         .input = InputKind::tokens,
         .defaults = {.image = 0, .seq = v.length, .classes = 0},
         .documented = Documented{v.parameters, 0, "parameter counts of the released checkpoints"},
         .aliases = v.aliases,
         .build = [v](const Sizes& sizes) { return build_llama(v, sizes); }});
  }
  return family;
}

}  // namespace sextant::nets::zoo_llama
