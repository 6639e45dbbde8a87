// GPT-2 (Radford et al. 2019) and what kept its layout: GPT-3 and Megatron's (Shoeybi et al. 2019,
// arXiv 1909.08053). Learned positions, layer norms, biases everywhere, one matrix for words.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_gpt2 {
namespace {

Decoder read(const ConfigReader& c) {
  Decoder d = read_widths(c, {.layers = "n_layer", .hidden = "n_embd", .heads = "n_head"});
  d.ffn = c.size_or("n_inner", 4 * d.hidden);
  d.tied = c.flag_or("tie_word_embeddings", true);
  d.positions = Positions::learned;
  d.max_positions = c.size("n_positions");
  d.position_rows = d.max_positions;
  d.norm = NormKind::layer;
  d.bias = {.qkv = true, .attention_output = true, .mlp = true, .norm = true};
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"gpt2", "GPT-2, and GPT-3 with dense attention", "Radford et al. 2019"}, {}, read}};
}

}  // namespace sextant::nets::family_gpt2
