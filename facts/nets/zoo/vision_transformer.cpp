// Vision transformer (Dosovitskiy et al. 2020, arXiv 2010.11929): an image as a sequence of patches, a
// BERT-like encoder with layer norm before each half of a layer, and a learned token that carries the class.
// Layout of torchvision, whose dropout is 0. Another image size has as many positions as it has patches.
#include <array>
#include <nlohmann/json.hpp>

#include "decoder_json.h"
#include "layers.h"
#include "sextant/nets/network.h"
#include "transformer_blocks.h"

namespace sextant::nets::zoo_vision_transformer {
namespace {

using namespace transformer;

struct Variant {
  const char* id;
  std::vector<std::string> aliases;  // the paper's, timm's and Hugging Face's spelling
  std::int64_t patch, hidden;
  int layers;
  std::int64_t heads, inner;
  std::int64_t parameters;
};

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"vit-b-16",
       {"vit-b/16", "vit-b16", "vit-base-patch16-224", "google/vit-base-patch16-224"},
       16,
       768,
       12,
       12,
       3072,
       86567656},
      {"vit-b-32", {"vit-b/32", "vit-b32", "vit-base-patch32-224"}, 32, 768, 12, 12, 3072, 88224232},
      {"vit-l-16",
       {"vit-l/16", "vit-l16", "vit-large-patch16-224", "google/vit-large-patch16-224"},
       16,
       1024,
       24,
       16,
       4096,
       304326632},
      {"vit-l-32", {"vit-l/32", "vit-l32", "vit-large-patch32-224"}, 32, 1024, 24, 16, 4096, 306535400},
      {"vit-h-14", {"vit-h/14", "vit-h14", "vit-huge-patch14-224"}, 14, 1280, 32, 16, 5120, 632045800},
  };
  return all;
}

// [batch, 3, height, width] to [batch, patch, feature].
Tensor embed_patches(GraphBuilder& g, Tensor image, const Variant& v) {
  const Tensor map = g.conv(image, v.hidden, square(v.patch), {.stride = square(v.patch)});
  const Shape s = g.shape(map);
  const Tensor patches = g.add(Reshape{{s.at(0), s.at(1), s.at(2) * s.at(3)}}, {map});
  return g.add(Transpose{{0, 2, 1}}, {patches});
}

Tensor with_class_token(GraphBuilder& g, Tensor patches) {
  const Shape s = g.shape(patches);
  const Tensor token = g.add(Parameter{{1, 1, s.at(2)}}, {}, "class_token");
  return g.concat({g.add(Expand{{s.at(0), 1, s.at(2)}}, {token}), patches}, 1);
}

Tensor encoder_layer(GraphBuilder& g, Tensor x, const Variant& v) {
  x = g.sum(x, fused_self_attention(g, g.layer_norm(x), v.heads, {.scale = ScaleBy::queries}));
  return g.sum(x, mlp(g, g.layer_norm(x), {.inner = v.inner}));
}

Graph build_vit(const Variant& v, const Sizes& sizes) {
  GraphBuilder g(v.id);
  Tensor x = embed_patches(g, g.image(sizes.batch, 3, sizes.image, sizes.image), v);
  x = add_positions(g, with_class_token(g, x), {});
  for (int i = 0; i < v.layers; ++i) {
    g.scope("layer" + std::to_string(i) + ".");
    x = encoder_layer(g, x, v);
  }
  g.scope("");
  x = g.add(Slice{.axis = 1, .begin = 0, .end = 1}, {g.layer_norm(x)});
  return g.finish(g.linear(g.flatten(x), sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : variants()) {
    family.push_back({.id = v.id,
                      .summary = "vision transformer on patches of " + std::to_string(v.patch) + " pixels",
                      .reference = "Dosovitskiy et al. 2020, arXiv 2010.11929; layout of torchvision",
                      .defaults = {.smallest_image = v.patch},
                      .documented = Documented{v.parameters, 0, kTorchvisionParameters},
                      .aliases = v.aliases,
                      .build = [v](const Sizes& sizes) { return build_vit(v, sizes); },
                      .decoder = zoo_decoder(v.id, {{"model_type", "vit"},
                                                    {"hidden_size", v.hidden},
                                                    {"num_hidden_layers", v.layers},
                                                    {"num_attention_heads", v.heads},
                                                    {"intermediate_size", v.inner},
                                                    {"patch_size", v.patch}})});
  }
  return family;
}

}  // namespace sextant::nets::zoo_vision_transformer
