// Networks of the literature on federated learning, for grey images of 28 pixels: the perceptron that attacks on
// Fashion-MNIST are studied with, and the first paper's two.
#include "sextant/nets/builder.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_federated {
namespace {

Graph perceptron(const char* name, const Sizes& sizes, const std::vector<std::int64_t>& widths) {
  GraphBuilder g(name);
  Tensor x = g.flatten(g.image(sizes.batch, 1, sizes.image, sizes.image));
  for (const std::int64_t width : widths) x = g.linear(x, width, true, Function::relu);
  return g.finish(g.linear(x, sizes.classes));
}

Graph build_mlp(const Sizes& sizes) {
  return perceptron("federated/mlp", sizes, {256, 128, 64});
}

Graph build_2nn(const Sizes& sizes) {
  return perceptron("federated/2nn", sizes, {200, 200});
}

Graph build_cnn(const Sizes& sizes) {
  GraphBuilder g("federated/cnn");
  Tensor x = g.image(sizes.batch, 1, sizes.image, sizes.image);
  for (const std::int64_t channels : {32, 64}) {
    x = g.conv(x, channels, square(5), {.padding = pad_all(2), .activation = Function::relu});
    x = g.max_pool(x, square(2), {.stride = square(2)});
  }
  x = g.linear(g.flatten(x), 512, true, Function::relu);
  return g.finish(g.linear(x, sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  const Defaults grey{.image = 28, .classes = 10, .smallest_image = 4};
  return {{.id = "federated/mlp",
           .summary = "perceptron 784-256-128-64-10; attacks on Fashion-MNIST are studied with it",
           .reference = "the FLANDERS baseline of Flower (adap/flower, baselines/flanders)",
           .defaults = grey,
           // 200,960 + 32,896 + 8,256 + 650 parameters; one multiplication a weight.
           .documented = Documented{242762, 242304, "counted by hand from the widths"},
           .aliases = {},
           .build = build_mlp},
          {.id = "federated/2nn",
           .summary = "perceptron with two layers of 200, the first of the federated literature",
           .reference = "McMahan et al., AISTATS 2017, section 3",
           .defaults = grey,
           .documented = Documented{199210, 198800, "the paper's total; 784*200 + 200*200 + 200*10"},
           .aliases = {},
           .build = build_2nn},
          {.id = "federated/cnn",
           .summary = "two convolutions of 5 x 5 and a layer of 512, of the first federated paper",
           .reference = "McMahan et al., AISTATS 2017, section 3",
           .defaults = grey,
           .documented = Documented{1663370, 0, "the paper's total"},
           .aliases = {},
           .build = build_cnn}};
}

}  // namespace sextant::nets::zoo_federated
