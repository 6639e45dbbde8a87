// Mixtral (Jiang et al. 2024, arXiv 2401.04088): Mistral with experts in every layer. `intermediate_size` is
// the width of an expert.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_mixtral {
namespace {

Decoder read(const ConfigReader& c) {
  Decoder d = read_llama_like(c);
  read_experts(c, d, {.count = "num_local_experts", .width = "intermediate_size"});
  d.ffn = 0;
  read_windows(c, d);
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"mixtral", "Mixtral: Mistral with experts", "Jiang et al. 2024, arXiv 2401.04088"}, {}, read}};
}

}  // namespace sextant::nets::family_mixtral
