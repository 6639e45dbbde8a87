// Nemotron 3 and 4 (Parmar et al. 2024, arXiv 2402.16819), and networks pruned from them: an MLP of two
// matrices with squared rectifiers, layer norms, half of each head turned.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_nemotron {
namespace {

Decoder read(const ConfigReader& c) {
  Decoder d = read_llama_like(c);
  d.gated = false;
  d.norm = NormKind::layer;
  d.bias.norm = true;
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {
      {{"nemotron", "Nemotron 3 and 4 without experts", "Parmar et al. 2024, arXiv 2402.16819"}, {}, read}};
}

}  // namespace sextant::nets::family_nemotron
