#include <algorithm>
#include <nlohmann/json.hpp>

#include "local_device.h"
#include "sextant/study/layer_records.h"
#include "sextant/study/local_accuracy.h"
#include "timed_networks.h"

namespace sextant {
namespace {

struct TimedBatch {
  std::string net;
  TrainingJob job;
  Graph graph;
  std::vector<OperatorTiming> timings;

  // Loss, input and update are not operators of the graph.
  [[nodiscard]] double total_s() const {
    double sum = 0;
    for (const OperatorTiming& timing : timings) sum += timing.forward_s + timing.backward_s;
    return sum;
  }
};

TimedBatch time_batch(const std::string& net, std::int64_t batch, const TransferOptions& options) {
  TimedBatch timed{.net = net, .job = {}, .graph = {}, .timings = {}};
  timed.job.network = net;
  timed.job.sizes.batch = batch;
  timed.job.optimizer = Optimizer::none;
  timed.graph = build(find_network(net), timed.job.sizes);
  SuperviseOptions supervise;
  supervise.worker = options.worker;
  timed.timings = time_operators(
      {.net = net, .sizes = timed.job.sizes, .threads = options.threads, .warmup = 2, .repetitions = 5},
      supervise);
  return timed;
}

// A network that is asked about itself is asked about a batch that the fit did not see.
double predicted_s(const Gpu& gpu, const std::string& fitted_on, const TimedBatch& asked,
                   const std::vector<TimedBatch>& all) {
  const std::vector<CatalogFile> files = {{gpu.id + ".toml", catalog_text(gpu, "")}};
  const Catalog catalog = overlay(builtin_catalog(), files);
  std::vector<LayerRecord> layers;
  for (const TimedBatch& timed : all) {
    if (timed.net != fitted_on || &timed == &asked) continue;
    const std::vector<LayerRecord> more = layer_records({timed.graph, timed.job, gpu.id}, timed.timings);
    layers.insert(layers.end(), more.begin(), more.end());
  }
  Setup setup{.catalog = &catalog};
  setup.model = fit_per_layer(layers, {}, catalog).dump();
  const GraphCost counted = cost(asked.graph);
  const auto predictor = predictors().get("per-layer").make(setup);
  return predictor->predict({asked.job, asked.graph, counted, catalog.gpus.get(gpu.id)}).iteration.value;
}

}  // namespace

std::vector<TransferRow> per_layer_transfer(const Gpu& gpu, const TransferOptions& options,
                                            Progress& progress) {
  std::vector<std::string> nets = options.fitted_on;
  if (std::ranges::find(nets, options.asked) == nets.end()) nets.push_back(options.asked);
  std::vector<TimedBatch> all;
  const auto total = static_cast<std::int64_t>(nets.size() * options.batches.size());
  for (const std::int64_t batch : options.batches) {
    for (const std::string& net : nets) {
      progress.step(static_cast<std::int64_t>(all.size()), total, net);
      all.push_back(time_batch(net, batch, options));
    }
  }
  std::vector<TransferRow> rows;
  for (const std::string& fitted_on : options.fitted_on) {
    for (const TimedBatch& asked : all) {
      if (asked.net != options.asked) continue;
      rows.push_back({.fitted_on = fitted_on,
                      .asked = asked.net,
                      .batch = asked.job.sizes.batch,
                      .measured_s = asked.total_s(),
                      .predicted_s = predicted_s(gpu, fitted_on, asked, all)});
    }
  }
  return rows;
}

}  // namespace sextant
