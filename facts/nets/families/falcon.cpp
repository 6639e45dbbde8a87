// Falcon (Almazrouei et al. 2023, arXiv 2311.16867): attention and MLP side by side. The 7B size shares one
// norm and one head of keys; 40B and 180B (`new_decoder_architecture`) have two norms and groups of heads;
// those of RefinedWeb have slopes for distances (ALiBi).
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_falcon {
namespace {

void read_key_groups(const ConfigReader& c, Decoder& d, bool grouped) {
  if (grouped) {
    d.kv_heads = c.size_or("num_kv_heads", d.heads);
    if (d.kv_heads > d.heads || d.heads % d.kv_heads != 0) {
      c.fail("num_kv_heads",
             "is " + std::to_string(d.kv_heads) + ", which does not divide " + std::to_string(d.heads),
             "each group has as many heads");
    }
  } else if (c.flag_or("multi_query", true)) {
    d.kv_heads = 1;
  }
  d.attention = d.kv_heads == d.heads ? AttentionKind::mha : AttentionKind::gqa;
}

Decoder read(const ConfigReader& c) {
  Decoder d = read_widths(c);
  const bool grouped = c.flag_or("new_decoder_architecture", false);
  read_key_groups(c, d, grouped);
  d.ffn = c.size_or("ffn_hidden_size", 4 * d.hidden);
  d.tied = c.flag_or("tie_word_embeddings", true);
  d.positions = c.flag_or("alibi", false) ? Positions::alibi : Positions::rope;
  d.max_positions = c.size_or("max_position_embeddings", 2048);
  d.norm = NormKind::layer;
  d.parallel = grouped || c.flag_or("parallel_attn", true);
  const bool one_norm = d.parallel && (!grouped || c.count_or("num_ln_in_parallel_attn", 2) == 1);
  d.norms_per_layer = one_norm ? 1 : 2;
  const bool biases = c.flag_or("bias", false);
  d.bias = {.qkv = biases, .attention_output = biases, .mlp = biases, .norm = true};
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"falcon", "Falcon", "Almazrouei et al. 2023, arXiv 2311.16867"},
           {"refinedweb", "refinedwebmodel"},
           read}};
}

}  // namespace sextant::nets::family_falcon
