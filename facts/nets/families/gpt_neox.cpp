// GPT-NeoX (Black et al. 2022, arXiv 2204.06745), Pythia and StableLM alpha: layer norms, biases everywhere,
// partly rotated positions, attention and MLP side by side with a norm each; words of their own at the end.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_gpt_neox {
namespace {

Decoder read(const ConfigReader& c) {
  Decoder d = read_widths(c);
  d.ffn = c.size("intermediate_size");
  d.tied = c.flag_or("tie_word_embeddings", false);
  d.max_positions = c.size_or("max_position_embeddings", 0);
  d.norm = NormKind::layer;
  d.parallel = c.flag_or("use_parallel_residual", true);
  const bool attention = c.flag_or("attention_bias", true);
  d.bias = {.qkv = attention, .attention_output = attention, .mlp = true, .norm = true};
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {
      {{"gpt-neox", "GPT-NeoX, Pythia, StableLM alpha", "Black et al. 2022, arXiv 2204.06745"}, {}, read}};
}

}  // namespace sextant::nets::family_gpt_neox
