// Llama 4 (Meta 2025): experts, one of them shared, in every layer or every other one; three of four layers
// see their own stretch of 8192 tokens only. The language part is read.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_llama4 {
namespace {

Decoder read(const ConfigReader& whole) {
  constexpr std::int64_t kPeriod = 4;
  const ConfigReader c = whole.part("text_config");
  Decoder d = read_llama_like(c);
  read_experts(c, d, {.count = "num_local_experts", .width = "intermediate_size"});
  d.expert_every = c.size_or("interleave_moe_layer_step", 1);
  d.ffn = d.expert_every > 1 ? c.size("intermediate_size_mlp") : 0;
  d.shared_experts = 1;
  d.shared_expert_ffn = d.expert_ffn;
  d.window = c.count_or("attention_chunk_size", 0);
  if (d.window > 0) full_each(d, kPeriod, LayerAttention::chunk);
  if (c.has("layer_types")) {
    const std::int64_t stretch = d.window;
    read_windows(c, d);
    d.window = stretch;
  }
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"llama4", "Llama 4; its language part", "Meta 2025, Llama 4 model card"}, {"llama4_text"}, read}};
}

}  // namespace sextant::nets::family_llama4
