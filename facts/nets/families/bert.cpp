// BERT (Devlin et al. 2018, arXiv 1810.04805) as an encoder with its pooler: norms after each half of a layer
// and after the embeddings, none at the end. Heads for words or classes are not part of it.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_bert {
namespace {

Decoder read(const ConfigReader& c) {
  Decoder d = read_widths(c);
  d.kind = TransformerKind::encoder;
  d.ffn = c.size("intermediate_size");
  d.tied = true;
  d.head = false;
  d.positions = Positions::learned;
  d.max_positions = c.size("max_position_embeddings");
  d.position_rows = d.max_positions;
  d.segments = c.size_or("type_vocab_size", 2);
  d.norm = NormKind::layer;
  d.embedding_norm = true;
  d.final_norm = false;
  d.pooler = true;
  d.bias = {.qkv = true, .attention_output = true, .mlp = true, .norm = true};
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"bert", "BERT's encoder with its pooler", "Devlin et al. 2018, arXiv 1810.04805"}, {}, read}};
}

}  // namespace sextant::nets::family_bert
