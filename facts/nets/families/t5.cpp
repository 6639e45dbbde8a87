// T5 (Raffel et al. 2019, arXiv 1910.10683) and its later versions with a gate: an encoder and a decoder,
// heads of a size of their own, a learned number for each head and distance, no biases.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_t5 {
namespace {

Decoder read(const ConfigReader& c) {
  Decoder d;
  d.kind = TransformerKind::encoder_decoder;
  d.encoder_layers = read_layers(c, "num_layers");
  d.layers = c.has("num_decoder_layers") ? read_layers(c, "num_decoder_layers") : d.encoder_layers;
  d.hidden = c.size("d_model");
  d.heads = c.size("num_heads");
  d.kv_heads = d.heads;
  d.head_dim = c.size("d_kv");
  d.ffn = c.size("d_ff");
  d.vocab = c.size("vocab_size");
  d.gated = c.flag_or("is_gated_act", false) || c.text_or("feed_forward_proj", "relu").starts_with("gated-");
  d.tied = c.flag_or("tie_word_embeddings", true);
  d.positions = Positions::relative;
  d.max_positions = c.size_or("n_positions", 512);
  d.relative_buckets = c.size_or("relative_attention_num_buckets", 32);
  d.dense_layers = d.layers;
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"t5", "T5: an encoder and a decoder", "Raffel et al. 2019, arXiv 1910.10683"}, {"mt5"}, read}};
}

}  // namespace sextant::nets::family_t5
