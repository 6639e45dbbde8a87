// DeepSeek 2 (arXiv 2405.04434) and 3 (arXiv 2412.19437): keys and values from one short vector, many experts
// of which some see every token, the first layers without. Kimi K2 and GLM 5 are built the same way; GLM 5
// and DeepSeek 3.2 pick the tokens that a query sees with a lighter attention.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_deepseek {
namespace {

void read_latent(const ConfigReader& c, Decoder& d) {
  d.attention = AttentionKind::mla;
  d.latent = {.q_lora_rank = c.count_or("q_lora_rank", 0),
              .kv_lora_rank = c.size("kv_lora_rank"),
              .qk_nope_head_dim = c.size("qk_nope_head_dim"),
              .qk_rope_head_dim = c.size("qk_rope_head_dim"),
              .v_head_dim = c.size("v_head_dim")};
  d.head_dim = d.latent.qk_nope_head_dim + d.latent.qk_rope_head_dim;
  d.kv_heads = d.heads;
  if (c.has("qk_head_dim") && c.size("qk_head_dim") != d.head_dim) {
    c.fail("qk_head_dim", "is not the sum of 'qk_nope_head_dim' and 'qk_rope_head_dim'");
  }
  d.latent.index_tokens = c.count_or("index_topk", 0);
  if (d.latent.index_tokens == 0) return;
  d.latent.index_heads = c.size("index_n_heads");
  d.latent.index_head_dim = c.size("index_head_dim");
}

void add_experts(const ConfigReader& c, Decoder& d) {
  if (c.count_or("n_routed_experts", 0) == 0) return;
  read_experts(c, d, {.count = "n_routed_experts"});
  d.dense_layers = c.count_or("first_k_dense_replace", 0);
  if (d.dense_layers > d.layers) c.fail("first_k_dense_replace", "is above 'num_hidden_layers'");
  if (c.size_or("moe_layer_freq", 1) != 1) c.fail("moe_layer_freq", "is not 1", "other orders are not read");
  d.shared_experts = c.count_or("n_shared_experts", 0);
  d.shared_expert_ffn = d.shared_experts > 0 ? d.expert_ffn : 0;
  // Without losses for balance, each expert has an offset to its score.
  d.bias.router = c.text_or("topk_method", "") == "noaux_tc";
}

Decoder read(const ConfigReader& c) {
  Decoder d;
  d.layers = read_layers(c, "num_hidden_layers");
  d.hidden = c.size("hidden_size");
  d.heads = c.size("num_attention_heads");
  d.vocab = c.size("vocab_size");
  d.ffn = c.size("intermediate_size");
  d.gated = true;
  d.tied = c.flag_or("tie_word_embeddings", false);
  d.max_positions = c.size_or("max_position_embeddings", 0);
  d.dense_layers = d.layers;
  d.bias.qkv = c.flag_or("attention_bias", false);
  d.bias.attention_output = d.bias.qkv;
  read_latent(c, d);
  add_experts(c, d);
  d.multi_token_layers = c.count_or("num_nextn_predict_layers", 0);
  return d;
}

constexpr const char* kThird = "DeepSeek-AI 2024, arXiv 2412.19437";

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"deepseek-v2", "DeepSeek 2", "DeepSeek-AI 2024, arXiv 2405.04434"}, {}, read},
          {{"deepseek-v3", "DeepSeek 3 and R1", kThird}, {}, read},
          {{"deepseek-v32", "DeepSeek 3.2, which picks the tokens that a query sees", kThird}, {}, read},
          {{"kimi-k2", "Kimi K2", "Kimi Team 2025, arXiv 2507.20534"}, {}, read},
          {{"glm-moe-dsa", "GLM 5, which picks the tokens that a query sees", "Z.ai 2026, GLM-5"}, {}, read}};
}

}  // namespace sextant::nets::family_deepseek
