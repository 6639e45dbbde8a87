// pipeline: consecutive layers on every device, and micro-batches that follow one another through them
// (GPipe: Huang et al., NeurIPS 2019; 1F1B and interleaving: Narayanan et al., SC 2021).
#include "pipeline_step.h"

namespace sextant::parallel::parallel_strategy_pipeline {
namespace {

ParallelResult cost(const ParallelQuery& query, const Parameters& parameters) {
  PipelineRequest request = pipeline_request("pipeline", parameters);
  const std::int64_t devices = query.placement.total();
  if (request.stages == 0) request.stages = devices;
  if (request.stages != devices) {
    return Infeasible{Limit::divisibility, "pipeline: " + std::to_string(request.stages) + " stages on " +
                                               std::to_string(devices) +
                                               " devices; data-pipeline can replicate them"};
  }
  return pipeline_cost(query, request);
}

Seconds at_least(const ParallelQuery& query, const Parameters& parameters) {
  PipelineRequest request = pipeline_request("pipeline", parameters);
  if (request.stages == 0) request.stages = query.placement.total();
  return pipeline_at_least(query, request);
}

std::vector<Parameters> variants(const ParallelQuery& query, const Parameters& usual) {
  std::vector<Parameters> list;
  append_pipelines(list, usual, query.placement.total(), query.batch);
  for (Parameters& each : list) each.set("stages", static_cast<double>(usual.count("stages")));
  return list;
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "pipeline";
  info.summary = "every device has consecutive layers, and micro-batches pass through them";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"layer", "pipeline-parallel"};
  info.parameters = pipeline_parameters("one on each device; 0: as many as there are");
  info.cost = cost;
  info.variants = variants;
  info.at_least = at_least;
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_pipeline
