// data-pipeline: replicas of a pipeline divide the batch (Narayanan et al., SC 2021).
#include "groups.h"
#include "pipeline_step.h"
#include "sharded.h"

namespace sextant::parallel::parallel_strategy_data_pipeline {
namespace {

PipelineRequest request_of(const ParallelQuery& query, const Parameters& parameters) {
  PipelineRequest request = pipeline_request("data-pipeline", parameters);
  request.stages = group_size(request.stages, query.placement);
  request.data_inside = parameters.word("order") == "data";
  request.bucket = parameters.bytes("bucket");
  request.overlap = parameters.flag("overlap");
  return request;
}

ParallelResult cost(const ParallelQuery& query, const Parameters& parameters) {
  return pipeline_cost(query, request_of(query, parameters));
}

Seconds at_least(const ParallelQuery& query, const Parameters& parameters) {
  return pipeline_at_least(query, request_of(query, parameters));
}

std::vector<Parameters> variants(const ParallelQuery& query, const Parameters& usual) {
  std::vector<Parameters> list;
  const std::int64_t devices = query.placement.total();
  for (const std::int64_t stages : divisors(devices)) {
    if (stages == 1) continue;
    const double samples = query.batch * static_cast<double>(stages) / static_cast<double>(devices);
    append_pipelines(list, usual, stages, samples);
  }
  if (query.placement.nodes() == 1) return list;
  const std::size_t count = list.size();
  for (std::size_t i = 0; i < count; ++i) {
    list.push_back(list[i]);
    list.back().set_word("order", "data");
  }
  return list;
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "data-pipeline";
  info.summary = "replicas of a pipeline divide the batch";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"data+pipeline"};
  info.parameters = pipeline_parameters("of a replica; 0: the devices of the fullest node");
  info.parameters.push_back(word_parameter("order", "what stands inside a node: pipeline or data",
                                           {"pipeline", "data"}, "pipeline"));
  info.parameters.push_back(bucket_parameter());
  info.parameters.push_back(overlap_parameter());
  info.cost = cost;
  info.variants = variants;
  info.at_least = at_least;
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_data_pipeline
