// Qwen (Bai et al. 2023, arXiv 2309.16609), 2 (Yang et al. 2024, arXiv 2407.10671) and 3 (arXiv 2505.09388).
// The first two have biases of queries, keys and values alone; the third norms queries and keys instead.
// Their variants with experts name the width of a shared expert where there is one.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_qwen {
namespace {

// `intermediate_size` of the first generation counts gate and value together.
Decoder read_first(const ConfigReader& c) {
  Decoder d = read_widths(c);
  const std::int64_t both = c.size("intermediate_size");
  if (both % 2 != 0) c.fail("intermediate_size", "is odd", "it counts the gate and the values together");
  d.ffn = both / 2;
  d.gated = true;
  d.tied = c.flag_or("tie_word_embeddings", false);
  d.max_positions = c.size_or("seq_length", c.size_or("max_position_embeddings", 0));
  d.bias.qkv = true;
  return d;
}

// Layers from `max_window_layers` on have the window, if it is used at all.
void read_late_windows(const ConfigReader& c, Decoder& d) {
  if (c.has("layer_types")) return read_windows(c, d);
  if (!c.flag_or("use_sliding_window", false)) return;
  d.window = c.size("sliding_window");
  const std::int64_t full = c.count_or("max_window_layers", d.layers);
  for (std::int64_t i = 0; i < d.layers; ++i) {
    d.layer_attention.push_back(i < full ? LayerAttention::full : LayerAttention::window);
  }
}

Decoder read_second(const ConfigReader& c) {
  Decoder d = read_llama_like(c);
  d.bias.qkv = true;
  d.bias.attention_output = false;
  read_late_windows(c, d);
  return d;
}

Decoder read_third(const ConfigReader& c) {
  Decoder d = read_llama_like(c);
  d.query_norm = QueryNorm::head;
  read_late_windows(c, d);
  return d;
}

void add_experts(const ConfigReader& c, Decoder& d) {
  read_experts(c, d, {});
  d.expert_every = c.size_or("decoder_sparse_step", 1);
  if (c.entries("mlp_only_layers") > 0) {
    c.fail("mlp_only_layers", "names layers without experts, which are not read",
           "'decoder_sparse_step' says how many layers have one with experts");
  }
  if (d.expert_every == 1) d.ffn = 0;
  d.shared_expert_ffn = c.count_or("shared_expert_intermediate_size", 0);
  d.shared_experts = d.shared_expert_ffn > 0 ? 1 : 0;
  d.shared_expert_gate = d.shared_experts > 0;
}

Decoder read_second_moe(const ConfigReader& c) {
  Decoder d = read_second(c);
  add_experts(c, d);
  return d;
}

Decoder read_third_moe(const ConfigReader& c) {
  Decoder d = read_third(c);
  add_experts(c, d);
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"qwen", "Qwen, first generation", "Bai et al. 2023, arXiv 2309.16609"}, {}, read_first},
          {{"qwen2", "Qwen 1.5, 2 and 2.5", "Yang et al. 2024, arXiv 2407.10671"}, {}, read_second},
          {{"qwen2-moe", "Qwen 1.5 and 2 with experts", "Yang et al. 2024, arXiv 2407.10671"},
           {},
           read_second_moe},
          {{"qwen3", "Qwen 3", "Yang et al. 2025, arXiv 2505.09388"}, {}, read_third},
          {{"qwen3-moe", "Qwen 3 with experts", "Yang et al. 2025, arXiv 2505.09388"}, {}, read_third_moe}};
}

}  // namespace sextant::nets::family_qwen
