// GPT-J (Wang, Komatsuzaki 2021): attention and MLP read one norm; biases in the MLP and at the end, none in
// attention.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_gptj {
namespace {

Decoder read(const ConfigReader& c) {
  Decoder d = read_widths(c, {.layers = "n_layer", .hidden = "n_embd", .heads = "n_head"});
  d.ffn = c.size_or("n_inner", 4 * d.hidden);
  d.tied = c.flag_or("tie_word_embeddings", false);
  d.max_positions = c.size_or("n_positions", 0);
  d.norm = NormKind::layer;
  d.norms_per_layer = 1;
  d.parallel = true;
  d.bias = {.mlp = true, .norm = true, .head = true};
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"gptj", "GPT-J", "Wang, Komatsuzaki 2021, github.com/kingoflolz/mesh-transformer-jax"},
           {"gpt-j"},
           read}};
}

}  // namespace sextant::nets::family_gptj
