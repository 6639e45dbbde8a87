// T5 (Raffel et al. 2019, arXiv 1910.10683), version 1.0: an encoder-decoder with ReLU, root-mean-square
// norms and an output tied to the table of words. Source and target have as many tokens each.
#include <array>
#include <nlohmann/json.hpp>

#include "decoder_json.h"
#include "sextant/nets/network.h"
#include "t5_blocks.h"

namespace sextant::nets::zoo_t5 {
namespace {

using namespace transformer;

struct Variant {
  T5Layout layout;
  const char* alias;  // Hugging Face's
  const char* summary;
  std::int64_t inner;
  std::int64_t parameters;
};

constexpr LayerNorm kRms = {.bias = false, .centre = false};

constexpr std::array<Variant, 3> kVariants = {{
    {{.id = "t5-small", .hidden = 512, .heads = 8, .head_size = 64, .layers = 6, .norm = kRms},
     "google-t5/t5-small",
     "T5 encoder-decoder, 60 million parameters",
     2048,
     60506624},
    {{.id = "t5-base", .hidden = 768, .heads = 12, .head_size = 64, .layers = 12, .norm = kRms},
     "google-t5/t5-base",
     "T5 encoder-decoder, 220 million parameters",
     3072,
     222903552},
    {{.id = "t5-large", .hidden = 1024, .heads = 16, .head_size = 64, .layers = 24, .norm = kRms},
     "google-t5/t5-large",
     "T5 encoder-decoder, 770 million parameters",
     4096,
     737668096},
}};

Graph build_variant(const Variant& v, const Sizes& sizes) {
  const MlpOptions options = {
      .inner = v.inner, .activation = Function::relu, .bias = false, .dropout = kT5Dropout};
  return build_t5(
      v.layout, [&](GraphBuilder& g, Tensor normed, int) { return mlp(g, normed, options); }, sizes);
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back(
        {.id = v.layout.id,
         .summary = v.summary,
         .reference = "Raffel et al. 2019, arXiv 1910.10683",
         .input = InputKind::tokens,
         .defaults = {.image = 0, .seq = 512, .classes = 0},
         .documented = Documented{v.parameters, 0, "parameter counts of the released checkpoints"},
         .aliases = {v.alias},
         .build = [v](const Sizes& sizes) { return build_variant(v, sizes); },
         .decoder = zoo_decoder(v.layout.id, {{"model_type", "t5"},
                                              {"d_model", v.layout.hidden},
                                              {"d_kv", v.layout.head_size},
                                              {"d_ff", v.inner},
                                              {"num_layers", v.layout.layers},
                                              {"num_heads", v.layout.heads},
                                              {"vocab_size", v.layout.vocabulary}})});
  }
  return family;
}

}  // namespace sextant::nets::zoo_t5
