// Vision transformer (Dosovitskiy et al. 2020, arXiv 2010.11929): patches of an image and a token for the
// class. Classes are counted where the file names them (`id2label`), as many as ImageNet's else.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_vit {
namespace {

constexpr std::int64_t kImageNetClasses = 1000;
constexpr std::int64_t kLargestImage = 65536;

Decoder read(const ConfigReader& c) {
  Decoder d;
  d.kind = TransformerKind::vision;
  d.layers = read_layers(c, "num_hidden_layers");
  d.hidden = c.size("hidden_size");
  d.heads = c.size("num_attention_heads");
  d.kv_heads = d.heads;
  d.head_dim = shared_width(c, d, {});
  d.ffn = c.size("intermediate_size");
  d.dense_layers = d.layers;
  d.image = c.size_or("image_size", 224);
  d.patch = c.size_or("patch_size", 16);
  d.channels = c.size_or("num_channels", 3);
  if (d.image > kLargestImage) c.fail("image_size", "is out of range", "at most 65536 pixels");
  if (d.patch > d.image || d.image % d.patch != 0)
    c.fail("patch_size", "does not divide 'image_size' " + std::to_string(d.image));
  const std::int64_t side = d.image / d.patch;
  const std::int64_t labels = c.entries("id2label");
  d.classes = labels > 0 ? labels : kImageNetClasses;
  d.positions = Positions::learned;
  d.max_positions = side * side + 1;
  d.position_rows = d.max_positions;
  d.norm = NormKind::layer;
  const bool attention = c.flag_or("qkv_bias", true);
  d.bias = {.qkv = attention, .attention_output = true, .mlp = true, .norm = true, .head = true};
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"vit", "vision transformer", "Dosovitskiy et al. 2020, arXiv 2010.11929"}, {}, read}};
}

}  // namespace sextant::nets::family_vit
