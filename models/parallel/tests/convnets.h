// VGG-16 and ResNet-50 as chains of their convolutions and dense layers, on a device of a given rate.
#pragma once

#include <string>
#include <vector>

#include "sextant/parallel/workload.h"

namespace sextant::parallel {

struct ConvShape {
  std::int64_t channels = 1;
  std::int64_t filters = 1;
  std::int64_t window = 1;
  std::int64_t size = 1;        // of the output map, square
  std::int64_t input_size = 1;  // of the input map
};

inline void time_layer(LayerLoad& layer, double operations) {
  layer.forward = Seconds{2 * operations / 10e12 + layer.output * 8 / 700e9};  // a V100 in fp32
  layer.backward = 2 * layer.forward;
  layer.forward_start = Seconds{10e-6};
  layer.backward_start = Seconds{20e-6};
  layer.update = Seconds{5e-6 + layer.weights * 12 / 700e9};
  layer.kept = Bytes{2 * 4 * layer.output};
}

inline LayerLoad convolution(const std::string& name, const ConvShape& shape) {
  LayerLoad layer;
  layer.name = name;
  layer.channels = shape.channels;
  layer.filters = shape.filters;
  layer.height = layer.width = shape.size;
  layer.input_height = shape.input_size;
  layer.halo = shape.window / 2;
  layer.input = static_cast<double>(shape.channels * shape.input_size * shape.input_size);
  layer.output = static_cast<double>(shape.filters * shape.size * shape.size);
  layer.weights = static_cast<double>(shape.channels * shape.filters * shape.window * shape.window);
  time_layer(layer, layer.weights * static_cast<double>(shape.size * shape.size));
  return layer;
}

inline LayerLoad dense(const std::string& name, std::int64_t inputs, std::int64_t outputs) {
  LayerLoad layer;
  layer.name = name;
  layer.channels = inputs;
  layer.filters = outputs;
  layer.input = static_cast<double>(inputs);
  layer.output = static_cast<double>(outputs);
  layer.weights = layer.input * layer.output;
  time_layer(layer, layer.weights);
  return layer;
}

inline WorkloadTerms momentum_terms() {
  WorkloadTerms terms;
  terms.parameter = {Bytes{4}, Bytes{4}, Bytes{4}};
  terms.context = Bytes{1e9};
  return terms;
}

inline Workload vgg16() {
  std::vector<LayerLoad> layers;
  const std::int64_t widths[] = {64, 128, 256, 512, 512};
  const int depths[] = {2, 2, 3, 3, 3};
  std::int64_t channels = 3;
  std::int64_t size = 224;
  for (std::size_t block = 0; block < 5; ++block, size /= 2) {
    for (int i = 0; i < depths[block]; ++i) {
      layers.push_back(convolution("conv" + std::to_string(block + 1) + "_" + std::to_string(i + 1),
                                   {channels, widths[block], 3, size, size}));
      channels = widths[block];
    }
  }
  layers.push_back(dense("fc6", 25088, 4096));
  layers.push_back(dense("fc7", 4096, 4096));
  layers.push_back(dense("fc8", 4096, 1000));
  return Workload(std::move(layers), momentum_terms());
}

inline Workload resnet50() {
  std::vector<LayerLoad> layers = {convolution("conv1", {3, 64, 7, 112, 224})};
  std::int64_t channels = 64;
  std::int64_t size = 56;
  std::int64_t width = 64;
  for (const int depth : {3, 4, 6, 3}) {
    for (int i = 0; i < depth; ++i) {
      const std::int64_t before = i == 0 && width > 64 ? 2 * size : size;
      const std::string name = "block" + std::to_string(width) + "_" + std::to_string(i);
      layers.push_back(convolution(name + "a", {channels, width, 1, before, before}));
      layers.push_back(convolution(name + "b", {width, width, 3, size, before}));
      layers.push_back(convolution(name + "c", {width, 4 * width, 1, size, size}));
      if (i == 0) layers.push_back(convolution(name + "d", {channels, 4 * width, 1, size, before}));
      channels = 4 * width;
    }
    size /= 2;
    width *= 2;
  }
  LayerLoad pool;
  pool.name = "pool";
  pool.height = pool.width = 1;
  pool.input = layers.back().output;
  pool.output = 2048;
  time_layer(pool, pool.input);
  layers.push_back(pool);
  layers.push_back(dense("fc", 2048, 1000));
  return Workload(std::move(layers), momentum_terms());
}

}  // namespace sextant::parallel
