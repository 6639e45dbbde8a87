// MiniMax M2 (2025): experts in every layer, and norms over all heads of queries and of keys together.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_minimax_m2 {
namespace {

Decoder read(const ConfigReader& c) {
  Decoder d = read_llama_like(c);
  read_experts(c, d, {.count = "num_local_experts", .width = "intermediate_size"});
  d.ffn = 0;
  if (c.flag_or("use_qk_norm", true)) d.query_norm = QueryNorm::all;
  d.bias.router = c.flag_or("use_routing_bias", true);
  if (c.flag_or("use_mtp", false)) d.multi_token_layers = c.count_or("num_mtp_modules", 0);
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"minimax-m2", "MiniMax M2", "MiniMax 2025, MiniMax-M2 model card"}, {}, read}};
}

}  // namespace sextant::nets::family_minimax_m2
