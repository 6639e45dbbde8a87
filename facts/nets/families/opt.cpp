// OPT (Zhang et al. 2022, arXiv 2205.01068): GPT-2's layout with two unused rows of positions. The 350M size
// looks words up in a narrower table, widens and narrows them, and has no last norm.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_opt {
namespace {

constexpr std::int64_t kUnusedPositions = 2;

Decoder read(const ConfigReader& c) {
  Decoder d = read_widths(c);
  d.ffn = c.size("ffn_dim");
  d.tied = c.flag_or("tie_word_embeddings", true);
  d.positions = Positions::learned;
  d.max_positions = c.size("max_position_embeddings");
  d.position_rows = d.max_positions + kUnusedPositions;
  d.norm = NormKind::layer;
  const bool biases = c.flag_or("enable_bias", true);
  d.bias = {.qkv = biases, .attention_output = biases, .mlp = biases, .norm = true};
  const std::int64_t words = c.size_or("word_embed_proj_dim", d.hidden);
  if (words != d.hidden) d.embedding_width = words;
  d.final_norm = c.flag_or("do_layer_norm_before", true) && !c.flag_or("_remove_final_layer_norm", false);
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"opt", "OPT", "Zhang et al. 2022, arXiv 2205.01068"}, {}, read}};
}

}  // namespace sextant::nets::family_opt
