// The three tutorial networks of PROFET: a LeNet-5 with ReLU and max pooling, and the Keras examples
// for MNIST and CIFAR-10. Their first dense layer reads the flattened map, so it grows with the image.
#include "profet_blocks.h"

namespace sextant::nets::zoo_profet_small {
namespace {

using namespace profet;

Tensor lenet5(KerasBuilder& g, Tensor x, std::int64_t classes) {
  for (const std::int64_t channels : {6, 16}) {
    x = g.halve(g.conv(x, channels, square(5), {.activation = Function::relu}));
  }
  x = g.flatten(x);
  for (const std::int64_t units : {120, 84}) x = g.linear(x, units, true, Function::relu);
  return g.classify(x, classes);
}

Tensor mnist_cnn(KerasBuilder& g, Tensor x, std::int64_t classes) {
  for (const std::int64_t channels : {32, 64}) {
    x = g.halve(g.conv(x, channels, square(3), {.activation = Function::relu}));
  }
  return g.classify(g.dropout(g.flatten(x), 0.5), classes);
}

// Each pair of convolutions is padded, then unpadded; activations are layers of their own.
Tensor cifar10_cnn(KerasBuilder& g, Tensor x, std::int64_t classes) {
  for (const std::int64_t channels : {32, 64}) {
    x = g.relu(g.same_conv(x, channels, square(3)));
    x = g.relu(g.conv(x, channels, square(3)));
    x = g.dropout(g.halve(x), 0.25);
  }
  x = g.dropout(g.relu(g.linear(g.flatten(x), 512)), 0.5);
  return g.activation(g.linear(x, classes), Function::softmax);
}

}  // namespace

std::vector<Network> plugin() {
  return {
      network({.name = "LeNet5", .summary = "LeNet-5 with ReLU and max pooling", .smallest_image = 16},
              lenet5),
      network({.name = "MNIST_CNN", .summary = "two convolutions and one dense layer", .smallest_image = 10},
              mnist_cnn),
      network(
          {.name = "CIFAR10_CNN", .summary = "four convolutions and two dense layers", .smallest_image = 10},
          cifar10_cnn)};
}

}  // namespace sextant::nets::zoo_profet_small
