// Swin transformer (Liu et al. 2021, arXiv 2103.14030): attention within windows of 7x7 patches, which every
// other layer shifts by half a window, and maps that are halved between stages. Layout of torchvision, whose
// dropout is 0, without stochastic depth. The shift is two copies here, one for each axis, and one there. The
// mask that keeps apart what the shift brought together is added, but holds no values: they do not change
// times.
#include <array>

#include "layers.h"
#include "sextant/nets/network.h"
#include "transformer_blocks.h"

namespace sextant::nets::zoo_swin {
namespace {

using namespace transformer;

constexpr std::int64_t kWindow = 7;
constexpr std::int64_t kPatches = kWindow * kWindow;  // of a window
constexpr std::int64_t kDistances = 2 * kWindow - 1;  // along one axis, from -6 to 6
constexpr std::int64_t kPatch = 4;                    // pixels
constexpr std::int64_t kHeadSize = 32;

struct Variant {
  const char* id;
  std::vector<std::string> aliases;
  std::int64_t channels;  // of the first stage; each stage has twice as many as the one before
  std::array<int, 4> blocks;
  std::int64_t parameters;
};

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"swin-t", {"swin-tiny", "swin-tiny-patch4-window7-224"}, 96, {2, 2, 6, 2}, 28288354},
      {"swin-s", {"swin-small", "swin-small-patch4-window7-224"}, 96, {2, 2, 18, 2}, 49606258},
      {"swin-b", {"swin-base", "swin-base-patch4-window7-224"}, 128, {2, 2, 18, 2}, 87768224},
  };
  return all;
}

// For each pair of patches of a window, the entry of the table that belongs to their distance.
std::vector<double> distance_entries() {
  std::vector<double> entries;
  for (std::int64_t a = 0; a < kPatches; ++a) {
    for (std::int64_t b = 0; b < kPatches; ++b) {
      const std::int64_t down = a / kWindow - b / kWindow + kWindow - 1;
      const std::int64_t right = a % kWindow - b % kWindow + kWindow - 1;
      entries.push_back(static_cast<double>(down * kDistances + right));
    }
  }
  return entries;
}

// A learned number per head for each distance: [heads, patch, patch].
Tensor position_bias(GraphBuilder& g, std::int64_t heads) {
  const Tensor table = g.add(Parameter{{kDistances * kDistances, heads}}, {}, "distances");
  const Tensor entries =
      g.add(Constant{.shape = {kPatches * kPatches}, .indices = true, .values = distance_entries()}, {});
  const Tensor bias = g.add(Gather{.axis = 0}, {table, entries});
  return g.add(Transpose{{2, 0, 1}}, {g.add(Reshape{{kPatches, kPatches, heads}}, {bias})});
}

// Maps are [batch, height, width, channels]. Zeros at the far sides, up to multiples of `step`.
Tensor pad_to_multiple(GraphBuilder& g, Tensor x, std::int64_t step) {
  const Shape& s = g.shape(x);
  const std::int64_t below = (step - s.at(1) % step) % step;
  const std::int64_t right = (step - s.at(2) % step) % step;
  if (below == 0 && right == 0) return x;
  const Tensor first = g.add(Transpose{{0, 3, 1, 2}}, {x});
  const Tensor padded = g.add(ZeroPad{{.top = 0, .bottom = below, .left = 0, .right = right}}, {first});
  return g.add(Transpose{{0, 2, 3, 1}}, {padded});
}

Tensor cut(GraphBuilder& g, Tensor x, std::int64_t height, std::int64_t width) {
  if (g.shape(x).at(1) != height) x = g.add(Slice{.axis = 1, .begin = 0, .end = height}, {x});
  if (g.shape(x).at(2) != width) x = g.add(Slice{.axis = 2, .begin = 0, .end = width}, {x});
  return x;
}

// Rows and columns move so many places towards the start; what leaves there comes back at the end.
Tensor roll(GraphBuilder& g, Tensor x, std::int64_t places) {
  for (const int axis : {1, 2}) {
    const std::int64_t extent = g.shape(x).at(static_cast<std::size_t>(axis));
    const std::int64_t split = (places + extent) % extent;
    const Tensor front = g.add(Slice{.axis = axis, .begin = 0, .end = split}, {x});
    const Tensor back = g.add(Slice{.axis = axis, .begin = split, .end = extent}, {x});
    x = g.concat({back, front}, axis);
  }
  return x;
}

// [batch, height, width, channels] to [batch * windows, patch, channels], and back.
Tensor split_windows(GraphBuilder& g, Tensor x) {
  const Shape s = g.shape(x);
  const std::int64_t down = s.at(1) / kWindow;
  const std::int64_t across = s.at(2) / kWindow;
  const Tensor tiles = g.add(Reshape{{s.at(0), down, kWindow, across, kWindow, s.at(3)}}, {x});
  const Tensor grouped = g.add(Transpose{{0, 1, 3, 2, 4, 5}}, {tiles});
  return g.add(Reshape{{s.at(0) * down * across, kPatches, s.at(3)}}, {grouped});
}

Tensor merge_windows(GraphBuilder& g, Tensor x, const Shape& map) {
  const std::int64_t down = map.at(1) / kWindow;
  const std::int64_t across = map.at(2) / kWindow;
  const Tensor grouped = g.add(Reshape{{map.at(0), down, across, kWindow, kWindow, map.at(3)}}, {x});
  return g.add(Reshape{map}, {g.add(Transpose{{0, 1, 3, 2, 4, 5}}, {grouped})});
}

Tensor window_attention(GraphBuilder& g, Tensor x, bool shifted) {
  const Shape unpadded = g.shape(x);
  x = pad_to_multiple(g, x, kWindow);
  const Shape map = g.shape(x);
  const std::int64_t heads = map.at(3) / kHeadSize;
  const std::int64_t windows = map.at(1) / kWindow * (map.at(2) / kWindow);
  shifted = shifted && windows > 1;
  AttentionOptions options = {.scale = ScaleBy::queries, .bias = position_bias(g, heads)};
  if (shifted) {
    x = roll(g, x, kWindow / 2);
    options.window_mask = g.add(Constant{.shape = {windows, 1, kPatches, kPatches}}, {}, "mask");
  }
  x = merge_windows(g, fused_self_attention(g, split_windows(g, x), heads, options), map);
  if (shifted) x = roll(g, x, -(kWindow / 2));
  return cut(g, x, unpadded.at(1), unpadded.at(2));
}

Tensor block(GraphBuilder& g, Tensor x, bool shifted) {
  const std::int64_t channels = g.shape(x).back();
  x = g.sum(x, window_attention(g, g.layer_norm(x), shifted));
  return g.sum(x, mlp(g, g.layer_norm(x), {.inner = 4 * channels}));
}

// Four neighbours become one patch of twice the channels.
Tensor merge_patches(GraphBuilder& g, Tensor x) {
  x = pad_to_multiple(g, x, 2);
  const Shape s = g.shape(x);
  std::vector<Tensor> corners;
  for (const std::int64_t column : {0, 1}) {
    for (const std::int64_t row : {0, 1}) {
      const Tensor rows = g.add(Slice{.axis = 1, .begin = row, .end = s.at(1), .step = 2}, {x});
      corners.push_back(g.add(Slice{.axis = 2, .begin = column, .end = s.at(2), .step = 2}, {rows}));
    }
  }
  return g.linear(g.layer_norm(g.concat(corners, 3)), 2 * s.at(3), false);
}

Graph build_swin(const Variant& v, const Sizes& sizes) {
  GraphBuilder g(v.id);
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  x = g.conv(x, v.channels, square(kPatch), {.stride = square(kPatch)});
  x = g.layer_norm(g.add(Transpose{{0, 2, 3, 1}}, {x}));
  for (std::size_t stage = 0; stage < v.blocks.size(); ++stage) {
    const std::string name = "stage" + std::to_string(stage + 1) + ".";
    g.scope(name);
    if (stage > 0) x = merge_patches(g, x);
    for (int i = 0; i < v.blocks.at(stage); ++i) {
      g.scope(name + std::to_string(i) + ".");
      x = block(g, x, i % 2 == 1);
    }
  }
  g.scope("");
  x = g.add(Transpose{{0, 3, 1, 2}}, {g.layer_norm(x)});
  return g.finish(g.linear(g.flatten(g.adaptive_pool(x, square(1))), sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : variants()) {
    family.push_back({.id = v.id,
                      .summary = "transformer with attention within shifted windows",
                      .reference = "Liu et al. 2021, arXiv 2103.14030; layout of torchvision",
                      .defaults = {.smallest_image = kPatch},
                      .documented = Documented{v.parameters, 0, kTorchvisionParameters},
                      .aliases = v.aliases,
                      .build = [v](const Sizes& sizes) { return build_swin(v, sizes); }});
  }
  return family;
}

}  // namespace sextant::nets::zoo_swin
