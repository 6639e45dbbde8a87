// Llama (Touvron et al. 2023, arXiv 2302.13971) and networks of the same layout: Mistral (Jiang et al. 2023,
// arXiv 2310.06825), whose layers may see a window only, and InternLM.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_llama {
namespace {

// InternLM has one flag for the biases of attention.
Decoder read(const ConfigReader& c) {
  Decoder d = read_llama_like(c);
  d.bias.qkv = c.flag_or("bias", d.bias.qkv);
  d.bias.attention_output = d.bias.qkv;
  read_windows(c, d);
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {
      {{"llama", "Llama, and what is built like it", "Touvron et al. 2023, arXiv 2302.13971"},
       {"internlm"},
       read},
      {{"mistral", "Mistral 7B and its successors without experts", "Jiang et al. 2023, arXiv 2310.06825"},
       {"ministral"},
       read}};
}

}  // namespace sextant::nets::family_llama
