// Small networks of the federated literature, all for grey images of 28 pixels: the perceptron and the CNN of
// FedAvg (McMahan et al., AISTATS 2017), LEAF's CNN for FEMNIST (Caldas et al., 2018), the perceptron of
// Flower's FLANDERS baseline and the CNN with which epfml compares robust rules, which is PyTorch's example
// for MNIST.
#include "sextant/nets/builder.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_federated {
namespace {

Graph perceptron(const std::string& name, const std::vector<std::int64_t>& hidden, const Sizes& sizes) {
  GraphBuilder g(name);
  Tensor x = g.flatten(g.image(sizes.batch, 1, sizes.image, sizes.image));
  for (const std::int64_t width : hidden) x = g.relu(g.linear(x, width));
  return g.finish(g.linear(x, sizes.classes));
}

// Two convolutions that keep the size, each halved, and a dense layer.
Graph two_convolutions(const std::string& name, std::int64_t dense, const Sizes& sizes) {
  GraphBuilder g(name);
  Tensor x = g.image(sizes.batch, 1, sizes.image, sizes.image);
  for (const std::int64_t channels : {32, 64}) {
    x = g.relu(g.conv(x, channels, square(5), {.padding = pad_all(2)}));
    x = g.max_pool(x, square(2), {.stride = square(2)});
  }
  x = g.relu(g.linear(g.flatten(x), dense));
  return g.finish(g.linear(x, sizes.classes));
}

Graph mnist_example(const Sizes& sizes) {
  GraphBuilder g("epfml-cnn");
  Tensor x = g.image(sizes.batch, 1, sizes.image, sizes.image);
  for (const std::int64_t channels : {32, 64}) x = g.relu(g.conv(x, channels, square(3)));
  x = g.dropout(g.max_pool(x, square(2), {.stride = square(2)}), 0.25);
  x = g.dropout(g.relu(g.linear(g.flatten(x), 128)), 0.5);
  return g.finish(g.linear(x, sizes.classes));
}

constexpr Defaults kDigits = {.image = 28, .classes = 10, .smallest_image = 1};

}  // namespace

// The convolutions of 32 and 64 channels have 832 and 51,264 parameters with 5 x 5 and 320 and 18,496 with 3
// x 3; after them 7 x 7 x 64 or 12 x 12 x 64 values are left.
std::vector<Network> plugin() {
  return {
      {.id = "fedavg-2nn",
       .summary = "FedAvg's perceptron with two hidden layers of 200",
       .reference = "McMahan et al., AISTATS 2017",
       .defaults = kDigits,
       .documented =
           Documented{199210, 784 * 200 + 200 * 200 + 200 * 10, "parameters: the paper; work: by hand"},
       .aliases = {"mlp-784-200-200-10"},
       .build =
           [](const Sizes& sizes) {
             return perceptron("fedavg-2nn", {200, 200}, sizes);
           }},
      {.id = "fedavg-cnn",
       .summary = "FedAvg's CNN for handwritten digits",
       .reference = "McMahan et al., AISTATS 2017",
       .defaults = {.image = 28, .classes = 10, .smallest_image = 4},
       .documented = Documented{1663370, 28 * 28 * 32 * 25 + 14 * 14 * 64 * 32 * 25 + 3136 * 512 + 512 * 10,
                                "parameters: the paper; work: by hand"},
       .build = [](const Sizes& sizes) { return two_convolutions("fedavg-cnn", 512, sizes); }},
      {.id = "leaf-cnn",
       .summary = "LEAF's CNN for handwritten characters",
       .reference = "Caldas et al., LEAF, 2018 (models/femnist/cnn.py)",
       .defaults = {.image = 28, .classes = 62, .smallest_image = 4},
       .documented = Documented{832 + 51264 + (3136 + 1) * 2048 + (2048 + 1) * 62,
                                28 * 28 * 32 * 25 + 14 * 14 * 64 * 32 * 25 + 3136 * 2048 + 2048 * 62,
                                "counted by hand from the definition"},
       .aliases = {"femnist-cnn"},
       .build = [](const Sizes& sizes) { return two_convolutions("leaf-cnn", 2048, sizes); }},
      {.id = "flanders-mlp",
       .summary = "perceptron 784-256-128-64-10 for Fashion-MNIST",
       .reference = "Flower, baseline FLANDERS",
       .defaults = kDigits,
       .documented =
           Documented{(784 + 1) * 256 + (256 + 1) * 128 + (128 + 1) * 64 + (64 + 1) * 10,
                      784 * 256 + 256 * 128 + 128 * 64 + 64 * 10, "counted by hand from the definition"},
       .aliases = {"mlp-784-256-128-64-10"},
       .build =
           [](const Sizes& sizes) {
             return perceptron("flanders-mlp", {256, 128, 64}, sizes);
           }},
      {.id = "epfml-cnn",
       .summary = "CNN 32-64-128, PyTorch's example for MNIST",
       .reference = "Karimireddy, He, Jaggi, ICLR 2022; pytorch/examples",
       .defaults = {.image = 28, .classes = 10, .smallest_image = 6},
       .documented = Documented{320 + 18496 + (9216 + 1) * 128 + (128 + 1) * 10,
                                26 * 26 * 32 * 9 + 24 * 24 * 64 * 32 * 9 + 9216 * 128 + 128 * 10,
                                "counted by hand from the definition"},
       .aliases = {"cnn-32-64-128"},
       .build = mnist_example}};
}

}  // namespace sextant::nets::zoo_federated
