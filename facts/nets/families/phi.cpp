// Phi 1, 1.5 and 2 (Li et al. 2023, arXiv 2309.05463): attention and MLP read the same norm, biases
// everywhere. Phi 3 (Abdin et al. 2024, arXiv 2404.14219) and 4 are built like Llama, some with a window.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_phi {
namespace {

Decoder read_first(const ConfigReader& c) {
  Decoder d = read_widths(c);
  read_key_heads(c, d);
  d.ffn = c.size_or("intermediate_size", 4 * d.hidden);
  d.tied = c.flag_or("tie_word_embeddings", false);
  d.max_positions = c.size_or("max_position_embeddings", 0);
  d.norm = NormKind::layer;
  d.norms_per_layer = 1;
  d.parallel = true;
  d.bias = {.qkv = true, .attention_output = true, .mlp = true, .norm = true, .head = true};
  return d;
}

Decoder read_third(const ConfigReader& c) {
  Decoder d = read_llama_like(c);
  read_windows(c, d);
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"phi", "Phi 1 to 2", "Li et al. 2023, arXiv 2309.05463"}, {}, read_first},
          {{"phi3", "Phi 3 and 4", "Abdin et al. 2024, arXiv 2404.14219"}, {}, read_third}};
}

}  // namespace sextant::nets::family_phi
