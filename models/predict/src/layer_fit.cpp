#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "layer_model.h"

namespace sextant::predict {
namespace {

struct Samples {
  std::vector<double> counts;
  std::vector<double> times;
};
using SamplesByType = std::map<std::pair<std::string, Direction>, Samples>;

void check(const LayerRecord& record, std::size_t row) {
  const auto sound = [](double value) { return std::isfinite(value) && value > 0; };
  if (sound(record.count) && sound(record.time.value)) return;
  throw InputError("layer record " + std::to_string(row + 1) + " ('" + record.type +
                   "'): count and time must be finite and above 0");
}

LayerFactor factor_of(const std::vector<double>& ratios) {
  LayerFactor factor;
  factor.steps = ratios.size();
  if (ratios.empty()) return factor;
  const auto n = static_cast<double>(ratios.size());
  factor.mean = std::accumulate(ratios.begin(), ratios.end(), 0.0) / n;
  if (ratios.size() < 2) return factor;
  double squares = 0;
  for (const double ratio : ratios) squares += (ratio - factor.mean) * (ratio - factor.mean);
  factor.variance = squares / (n - 1) * (1 + 1 / n);  // of the next step's ratio
  return factor;
}

double ratio_to_layers(const Measurement& step, const LayerDevice& device, const catalog::Gpu& gpu) {
  const nets::Graph graph = build(nets::find_network(step.job.net), step.job.sizes);
  const nets::GraphCost counted = cost(graph, step.job.precision);
  return step.step / estimate_layers(device, {step.job, graph, counted, gpu}).total();
}

}  // namespace

Json fit_per_layer(std::span<const LayerRecord> layers, std::span<const Measurement> steps,
                   const catalog::Catalog& catalog) {
  std::map<std::string, SamplesByType> by_gpu;
  for (std::size_t row = 0; row < layers.size(); ++row) {
    const LayerRecord& record = layers[row];
    check(record, row);
    Samples& samples = by_gpu[catalog.gpus.get(record.gpu).id][{record.type, record.direction}];
    samples.counts.push_back(record.count);
    samples.times.push_back(record.time.value);
  }
  LayerModel model;
  for (const auto& [gpu, types] : by_gpu) {
    LayerDevice& device = model[gpu];
    for (const auto& [type, samples] : types) {
      if (samples.counts.size() < kFewestSamples) continue;
      device.lines[type] = fit_layer_line(samples.counts, samples.times);
    }
    std::vector<double> ratios;
    for (const auto& step : steps) {
      const catalog::Gpu& where = catalog.gpus.get(step.gpu);
      if (where.id == gpu) ratios.push_back(ratio_to_layers(step, device, where));
    }
    device.factor = factor_of(ratios);
  }
  return to_json(model);
}

}  // namespace sextant::predict
