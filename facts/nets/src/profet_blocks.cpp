#include "profet_blocks.h"

#include <utility>

#include "sextant/core/text.h"

namespace sextant::nets::profet {

Network network(const ProfetEntry& entry, Body body) {
  const std::string id = "profet/" + fold_name(entry.name);
  return {
      .id = id,
      .summary = entry.summary,
      .reference = "PROFET's " + entry.name + " (TensorFlow 2.5, Keras); Lee et al. 2022, arXiv 2208.05130",
      .input = InputKind::image,
      .defaults = {.image = 224, .seq = 0, .classes = 1000, .smallest_image = entry.smallest_image},
      .documented = entry.documented,
      .aliases = {},
      .build = [id, body = std::move(body)](const Sizes& sizes) {
        KerasBuilder g(id);
        const Tensor image = g.image(sizes.batch, 3, sizes.image, sizes.image);
        return g.finish(body(g, image, sizes.classes));
      }};
}

Tensor KerasBuilder::same_conv(Tensor x, std::int64_t channels, Extent kernel, ConvOptions options) {
  options.padding = same_padding(shape(x), kernel, options.stride);
  return conv(x, channels, kernel, options);
}

Tensor KerasBuilder::same_max_pool(Tensor x, Extent kernel, Extent stride) {
  return max_pool(x, kernel, {.stride = stride, .padding = same_padding(shape(x), kernel, stride)});
}

Tensor KerasBuilder::same_avg_pool(Tensor x, Extent kernel, Extent stride) {
  return avg_pool(x, kernel, {.stride = stride, .padding = same_padding(shape(x), kernel, stride)});
}

Tensor KerasBuilder::halve(Tensor x) {
  return max_pool(x, square(2), {.stride = square(2)});
}

Tensor KerasBuilder::global_avg_pool(Tensor x) {
  return flatten(adaptive_pool(x, square(1)));
}

Tensor KerasBuilder::classify(Tensor x, std::int64_t classes) {
  return linear(x, classes, true, Function::softmax);
}

}  // namespace sextant::nets::profet
