// MPT (MosaicML 2023, llm-foundry): no biases as a rule, learned positions unless it has slopes for distances
// (ALiBi), one matrix for words.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_mpt {
namespace {

void read_attention(const ConfigReader& c, Decoder& d) {
  if (!c.has("attn_config")) return;
  const ConfigReader attention = c.part("attn_config");
  if (attention.flag_or("alibi", false)) d.positions = Positions::alibi;
  if (attention.flag_or("rope", false)) d.positions = Positions::rope;
  const std::string kind = attention.text_or("attn_type", "multihead_attention");
  if (kind == "multiquery_attention") d.kv_heads = 1;
  if (kind == "grouped_query_attention") d.kv_heads = attention.size("kv_n_heads");
  if (d.heads % d.kv_heads != 0) attention.fail("kv_n_heads", "does not divide 'n_heads'");
  d.attention = d.kv_heads == d.heads ? AttentionKind::mha : AttentionKind::gqa;
}

Decoder read(const ConfigReader& c) {
  Decoder d = read_widths(c, {.layers = "n_layers", .hidden = "d_model", .heads = "n_heads"});
  constexpr double kWidest = 1e9;
  const double width = c.number_or("expansion_ratio", 4) * static_cast<double>(d.hidden);
  if (width < 1 || width > kWidest) c.fail("expansion_ratio", "makes no width that an MLP can have");
  d.ffn = static_cast<std::int64_t>(width);
  d.tied = c.flag_or("tie_word_embeddings", true);
  d.positions = Positions::learned;
  d.max_positions = c.size("max_seq_len");
  read_attention(c, d);
  if (d.positions == Positions::learned && c.flag_or("learned_pos_emb", true)) {
    d.position_rows = d.max_positions;
  }
  d.norm = NormKind::layer;
  const bool biases = !c.flag_or("no_bias", false);
  d.bias = {.qkv = biases, .attention_output = biases, .mlp = biases, .norm = biases};
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"mpt", "MPT of llm-foundry", "MosaicML 2023, github.com/mosaicml/llm-foundry"}, {}, read}};
}

}  // namespace sextant::nets::family_mpt
