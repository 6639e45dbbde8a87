// Gemma (arXiv 2403.08295), 2 (arXiv 2408.00118) and 3 (arXiv 2503.19786), all with tied embeddings. The
// second has norms before and after each half of a layer and a window on every other layer; the third norms
// queries and keys and has five layers with a window for each one without. Files of the third leave out what
// is as in its class; of one that sees images, the language part is read.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_gemma {
namespace {

Decoder read_first(const ConfigReader& c) {
  Decoder d = read_llama_like(c);
  d.tied = c.flag_or("tie_word_embeddings", true);
  return d;
}

Decoder read_second(const ConfigReader& c) {
  Decoder d = read_first(c);
  d.norms_per_layer = 4;
  read_windows(c, d);
  if (d.window > 0 && d.layer_attention.empty()) full_each(d, 2);
  return d;
}

// Without heads and words a file means those of the class.
Decoder read_third(const ConfigReader& whole) {
  constexpr std::int64_t kHeads = 8;
  constexpr std::int64_t kKeyHeads = 4;
  constexpr std::int64_t kHeadSize = 256;
  constexpr std::int64_t kWords = 262208;
  constexpr std::int64_t kPeriod = 6;
  const ConfigReader c = whole.part("text_config");
  Decoder d;
  d.layers = read_layers(c, "num_hidden_layers");
  d.hidden = c.size("hidden_size");
  d.ffn = c.size("intermediate_size");
  d.heads = c.size_or("num_attention_heads", kHeads);
  read_key_heads(c, d, kKeyHeads);
  d.head_dim = c.size_or("head_dim", kHeadSize);
  d.vocab = c.size_or("vocab_size", kWords);
  d.gated = true;
  d.tied = whole.flag_or("tie_word_embeddings", true);
  d.dense_layers = d.layers;
  d.max_positions = c.size_or("max_position_embeddings", 131072);
  d.query_norm = QueryNorm::head;
  d.norms_per_layer = 4;
  read_windows(c, d);
  if (d.window > 0 && d.layer_attention.empty()) full_each(d, c.size_or("sliding_window_pattern", kPeriod));
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"gemma", "Gemma", "Gemma Team 2024, arXiv 2403.08295"}, {}, read_first},
          {{"gemma2", "Gemma 2", "Gemma Team 2024, arXiv 2408.00118"}, {}, read_second},
          {{"gemma3", "Gemma 3; its language part", "Gemma Team 2025, arXiv 2503.19786"},
           {"gemma3_text"},
           read_third}};
}

}  // namespace sextant::nets::family_gemma
