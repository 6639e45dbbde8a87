// Qwen 3 Next and Qwen 3.5: of four layers one attends to all tokens, with a gate on its result, and three
// keep a state of fixed size (gated delta rule, Yang et al. 2024, arXiv 2412.06464). Dense, or with many
// experts and a shared one.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_qwen3_next {
namespace {

void read_linear(const ConfigReader& c, Decoder& d) {
  d.linear = {.key_heads = c.size("linear_num_key_heads"),
              .value_heads = c.size("linear_num_value_heads"),
              .key_head_dim = c.size("linear_key_head_dim"),
              .value_head_dim = c.size("linear_value_head_dim"),
              .conv_kernel = c.size("linear_conv_kernel_dim")};
  if (d.linear.value_heads % d.linear.key_heads != 0) {
    c.fail("linear_num_key_heads", "does not divide 'linear_num_value_heads'",
           "each group has as many heads");
  }
  if (c.has("layer_types")) return read_windows(c, d);
  full_each(d, c.size_or("full_attention_interval", 4), LayerAttention::linear);
}

Decoder read_text(const ConfigReader& c) {
  Decoder d = read_widths(c);
  read_key_heads(c, d);
  d.gated = true;
  d.tied = c.flag_or("tie_word_embeddings", false);
  d.max_positions = c.size_or("max_position_embeddings", 0);
  d.query_norm = QueryNorm::head;
  d.output_gate = true;
  read_linear(c, d);
  return d;
}

Decoder read_dense(const ConfigReader& c) {
  const ConfigReader text = c.part("text_config");
  Decoder d = read_text(text);
  d.ffn = text.size("intermediate_size");
  d.tied = c.flag_or("tie_word_embeddings", d.tied);
  return d;
}

Decoder read_experts_text(const ConfigReader& c) {
  const ConfigReader text = c.part("text_config");
  Decoder d = read_text(text);
  read_experts(text, d, {});
  d.shared_expert_ffn = text.count_or("shared_expert_intermediate_size", 0);
  d.shared_experts = d.shared_expert_ffn > 0 ? 1 : 0;
  d.shared_expert_gate = d.shared_experts > 0;
  return d;
}

constexpr const char* kDeltaRule = "Yang et al. 2024, arXiv 2412.06464 (gated delta rule)";

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"qwen3-next", "Qwen 3 Next: three of four layers with a state of fixed size", kDeltaRule},
           {},
           read_experts_text},
          {{"qwen3-5", "Qwen 3.5, dense", kDeltaRule}, {"qwen3_5_text"}, read_dense},
          {{"qwen3-5-moe", "Qwen 3.5 with experts; its language part", kDeltaRule},
           {"qwen3_5_moe_text"},
           read_experts_text}};
}

}  // namespace sextant::nets::family_qwen3_next
