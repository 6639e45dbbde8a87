// Networks made up for the laws: chains whose numbers are drawn at random.
#pragma once

#include <string>

#include "sextant/core/rng.h"
#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {

inline double log_uniform(Rng& rng, double low, double high) {
  const double u = rng.uniform();
  return low * std::pow(high / low, u);
}

inline WorkloadTerms adam_terms() {
  WorkloadTerms terms;
  terms.element = Bytes{2};
  terms.parameter = {Bytes{2}, Bytes{2}, Bytes{12}};
  terms.context = Bytes{1e9};
  terms.input = Seconds{1e-3};
  return terms;
}

inline void draw_times(LayerLoad& layer, Rng& rng) {
  layer.forward = Seconds{log_uniform(rng, 1e-6, 1e-3)};
  layer.backward = (1 + 2 * rng.uniform()) * layer.forward;
  layer.forward_start = Seconds{log_uniform(rng, 1e-6, 3e-5)};
  layer.backward_start = 2 * layer.forward_start;
  layer.update = Seconds{1e-6 + layer.weights * 2e-11};
  layer.kept = Bytes{2 * layer.output};
}

// Convolutions on maps from 64 by 64 down to 8 by 8, a pool over the map, two dense layers.
inline Workload random_cnn(Rng rng) {
  std::vector<LayerLoad> layers;
  const int convolutions = 12 + static_cast<int>(rng.below(20));
  double channels = 3;
  std::int64_t size = 64;
  for (int i = 0; i < convolutions; ++i) {
    LayerLoad layer;
    layer.name = "conv" + std::to_string(i);
    const std::int64_t before = size;
    if (size > 8 && rng.uniform() < 0.2) size /= 2;
    layer.channels = static_cast<std::int64_t>(channels);
    layer.filters = 64 << rng.below(4);
    layer.height = layer.width = size;
    layer.input_height = before;
    layer.halo = static_cast<std::int64_t>(rng.below(2));
    layer.input = channels * static_cast<double>(before * before);
    layer.output = static_cast<double>(layer.filters * size * size);
    const double window = layer.halo > 0 ? 9 : 1;
    layer.weights = window * channels * static_cast<double>(layer.filters);
    channels = static_cast<double>(layer.filters);
    draw_times(layer, rng);
    layers.push_back(layer);
  }
  LayerLoad pool;
  pool.name = "pool";
  pool.height = pool.width = 1;
  pool.input = layers.back().output;
  pool.output = channels;
  draw_times(pool, rng);
  layers.push_back(pool);
  for (const std::int64_t wide : {1024, 1000}) {
    LayerLoad dense;
    dense.name = "dense" + std::to_string(wide);
    dense.input = channels;
    dense.output = static_cast<double>(wide);
    dense.channels = static_cast<std::int64_t>(channels);
    dense.filters = wide;
    dense.weights = dense.input * dense.output;
    channels = dense.output;
    draw_times(dense, rng);
    layers.push_back(dense);
  }
  return Workload(std::move(layers), adam_terms());
}

// Blocks of attention and two matrices, 64 heads.
inline Workload random_transformer(Rng rng) {
  std::vector<LayerLoad> layers;
  const int blocks = 4 + static_cast<int>(rng.below(8));
  const double hidden = 1024;
  const double sequence = 128;
  for (int i = 0; i < blocks; ++i) {
    const TensorRole roles[] = {TensorRole::replicated, TensorRole::split, TensorRole::reduced,
                                TensorRole::split, TensorRole::reduced};
    const char* const names[] = {"norm", "attention", "project", "widen", "narrow"};
    for (int k = 0; k < 5; ++k) {
      LayerLoad layer;
      layer.name = names[k] + std::to_string(i);
      layer.tensor = roles[k];
      layer.heads = k == 1 ? 64 : 0;
      layer.input = layer.output = sequence * hidden;
      layer.filters = layer.channels = k == 0 ? 0 : 1024;
      layer.weights = k == 0 ? 2 * hidden : hidden * hidden;
      draw_times(layer, rng);
      layers.push_back(layer);
    }
  }
  return Workload(std::move(layers), adam_terms());
}

// The same convolution many times.
inline Workload equal_layers(int count) {
  LayerLoad layer;
  layer.name = "layer";
  layer.channels = layer.filters = 256;
  layer.height = layer.width = 64;
  layer.halo = 1;
  layer.input = layer.output = 256 * 64 * 64;
  layer.weights = 256 * 256 * 9;
  layer.heads = 64;
  layer.tensor = TensorRole::reduced;
  Rng rng(5);
  draw_times(layer, rng);
  return Workload(std::vector<LayerLoad>(static_cast<std::size_t>(count), layer), adam_terms());
}

// Nodes of four with NVLink and a card of 100 Gbit/s.
inline collectives::Fabric plain_fabric() {
  return {{Seconds{5e-6}, Bandwidth{50e9}}, collectives::Path{Seconds{1e-5}, Bandwidth{12.5e9}}};
}

inline ParallelQuery query_of(const Workload& load, std::int64_t devices, double batch,
                              std::int64_t per_node = 4) {
  return {{{&load, Bytes{16e9}}}, jobs::Placement::packed(devices, per_node), plain_fabric(), batch};
}

inline ParallelResult cost_of(std::string_view text, const ParallelQuery& query) {
  return strategy_cost(parse_strategy(text), query);
}

}  // namespace sextant::parallel
