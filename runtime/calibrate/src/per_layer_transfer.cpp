#include <algorithm>
#include <nlohmann/json.hpp>

#include "local_device.h"
#include "sextant/calibrate/layer_records.h"
#include "sextant/calibrate/local_accuracy.h"
#include "timed_networks.h"

namespace sextant::calibrate {
namespace {

struct TimedBatch {
  jobs::Job job;
  nets::Graph graph;
  std::vector<measure::OperatorTiming> timings;

  // Loss, input and update are not operators of the graph.
  [[nodiscard]] double total_s() const {
    double sum = 0;
    for (const measure::OperatorTiming& timing : timings) sum += timing.forward_s + timing.backward_s;
    return sum;
  }
};

TimedBatch time_batch(const std::string& net, std::int64_t batch, const TransferOptions& options) {
  TimedBatch timed{
      .job = {.net = net, .sizes = {.batch = batch}, .optimizer = jobs::Optimizer::none, .layout = {}},
      .graph = {},
      .timings = {}};
  timed.graph = build(nets::find_network(net), timed.job.sizes);
  measure::SuperviseOptions supervise;
  supervise.worker = options.worker;
  jobs::Job trained = timed.job;
  trained.optimizer = jobs::Optimizer::momentum;  // a worker has one, though operators alone need none
  timed.timings =
      time_operators({.job = trained, .threads = options.threads, .warmup = 2, .repetitions = 5}, supervise);
  return timed;
}

// A network that is asked about itself is asked about a batch that the fit did not see.
double predicted_s(const catalog::Gpu& gpu, const std::string& fitted_on, const TimedBatch& asked,
                   const std::vector<TimedBatch>& all) {
  const std::vector<catalog::CatalogFile> files = {{gpu.id + ".toml", catalog_text(gpu, "")}};
  const catalog::Catalog catalog = overlay(catalog::builtin_catalog(), files);
  std::vector<predict::LayerRecord> layers;
  for (const TimedBatch& timed : all) {
    if (timed.job.net != fitted_on || &timed == &asked) continue;
    const std::vector<predict::LayerRecord> more =
        layer_records({timed.graph, timed.job, gpu.id}, timed.timings);
    layers.insert(layers.end(), more.begin(), more.end());
  }
  predict::Setup setup{.catalog = &catalog};
  setup.model = fit_per_layer(layers, {}, catalog).dump();
  const nets::GraphCost counted = cost(asked.graph);
  const auto predictor = predict::predictors().get("per-layer").make(setup);
  return predictor->predict({asked.job, asked.graph, counted, catalog.gpus.get(gpu.id)}).iteration.value;
}

}  // namespace

std::vector<TransferRow> per_layer_transfer(const catalog::Gpu& gpu, const TransferOptions& options,
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
      if (asked.job.net != options.asked) continue;
      rows.push_back({.fitted_on = fitted_on,
                      .asked = asked.job.net,
                      .batch = asked.job.sizes.batch,
                      .measured_s = asked.total_s(),
                      .predicted_s = predicted_s(gpu, fitted_on, asked, all)});
    }
  }
  return rows;
}

}  // namespace sextant::calibrate
