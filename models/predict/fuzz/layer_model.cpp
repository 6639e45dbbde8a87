// Whatever the bytes, a model of layers is read or refused, and what was read predicts a finite time.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/predict/predictor.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  using namespace sextant::predict;
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  static const nets::Graph graph = build(nets::zoo().get("alexnet"), {});
  static const nets::GraphCost counted = cost(graph);
  const jobs::Job job;
  Setup setup;
  setup.model = std::string(reinterpret_cast<const char*>(data), size);
  try {
    const auto predictor = predictors().get("per-layer").make(setup);
    const Prediction p = predictor->predict({job, graph, counted, catalog.gpus.get("t4")});
    if (std::isnan(p.iteration.value) || p.iteration < Seconds{}) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
