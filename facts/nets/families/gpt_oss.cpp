// gpt-oss (OpenAI 2025, arXiv 2508.10925): experts with biases in every layer, a window of 128 tokens on
// every other one, and a learned score in each head that takes no value.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_gpt_oss {
namespace {

Decoder read(const ConfigReader& c) {
  Decoder d = read_llama_like(c);
  const bool older = !c.has("num_experts_per_tok") && c.has("experts_per_token");
  read_experts(c, d,
               {.count = "num_local_experts",
                .per_token = older ? "experts_per_token" : "num_experts_per_tok",
                .width = "intermediate_size"});
  d.ffn = 0;
  d.bias.qkv = c.flag_or("attention_bias", true);
  d.bias.attention_output = d.bias.qkv;
  d.bias.mlp = true;
  d.bias.router = true;
  d.attention_sinks = true;
  read_windows(c, d);
  if (d.window > 0 && d.layer_attention.empty()) full_each(d, 2);
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"gpt-oss", "gpt-oss", "OpenAI 2025, arXiv 2508.10925"}, {}, read}};
}

}  // namespace sextant::nets::family_gpt_oss
