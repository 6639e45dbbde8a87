// U-Net (Ronneberger, Fischer, Brox 2015, arXiv 1505.04597) as in the paper: one grey channel of 572 pixels,
// convolutions without padding, so that the result is smaller than the image (388 pixels), and maps of the
// way down that are cropped before they join the way up. The result is [batch, pixel, class]: the paper's
// loss is cross entropy over pixels.
#include "sextant/nets/builder.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_unet {
namespace {

constexpr std::int64_t kFirstChannels = 64;
constexpr int kLevels = 4;

Tensor two_convs(GraphBuilder& g, Tensor x, std::int64_t channels) {
  for (int i = 0; i < 2; ++i) x = g.relu(g.conv(x, channels, square(3)));
  return x;
}

// The middle of a map, as large as another.
Tensor crop(GraphBuilder& g, Tensor x, Tensor like) {
  for (const int axis : {2, 3}) {
    const auto i = static_cast<std::size_t>(axis);
    const std::int64_t extent = g.shape(like).at(i);
    const std::int64_t begin = (g.shape(x).at(i) - extent) / 2;
    x = g.add(Slice{.axis = axis, .begin = begin, .end = begin + extent}, {x});
  }
  return x;
}

Tensor up(GraphBuilder& g, Tensor x, Tensor skipped) {
  const std::int64_t channels = g.channels(skipped);
  x = g.add(ConvTranspose{channels, square(2), square(2), {}, {0, 0, 0}, square(1)}, {x});
  return two_convs(g, g.concat({crop(g, skipped, x), x}), channels);
}

Graph build_unet(const Sizes& sizes) {
  GraphBuilder g("unet");
  Tensor x = g.image(sizes.batch, 1, sizes.image, sizes.image);
  std::vector<Tensor> skipped;
  std::int64_t channels = kFirstChannels;
  for (int level = 0; level < kLevels; ++level) {
    g.scope("down" + std::to_string(level) + ".");
    skipped.push_back(two_convs(g, x, channels));
    x = g.max_pool(skipped.back(), square(2), {.stride = square(2)});
    channels *= 2;
  }
  g.scope("bottom.");
  x = g.dropout(two_convs(g, x, channels), 0.5);
  for (int level = kLevels - 1; level >= 0; --level) {
    g.scope("up" + std::to_string(level) + ".");
    x = up(g, x, skipped.at(static_cast<std::size_t>(level)));
  }
  g.scope("");
  x = g.conv(x, sizes.classes, square(1));
  const Shape s = g.shape(x);
  const Tensor pixels = g.add(Reshape{{s.at(0), s.at(1), s.at(2) * s.at(3)}}, {x});
  return g.finish(g.add(Transpose{{0, 2, 1}}, {pixels}));
}

}  // namespace

std::vector<Network> plugin() {
  return {{.id = "unet",
           .summary = "U-Net of the paper: labels each pixel of a grey image, without padding",
           .reference = "Ronneberger et al. 2015, arXiv 1505.04597",
           .defaults = {.image = 572, .classes = 2, .smallest_image = 188},
           .documented = Documented{31030658, 0, "counted by hand from figure 1 of the paper, with biases"},
           .aliases = {"u-net"},
           .build = build_unet}};
}

}  // namespace sextant::nets::zoo_unet
