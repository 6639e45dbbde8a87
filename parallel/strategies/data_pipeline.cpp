// data-pipeline: replicas of a pipeline divide the batch (Narayanan et al., SC 2021).
#include "groups.h"
#include "pipeline_step.h"
#include "sharded.h"

namespace sextant {
namespace {

enum Parameter { order = pipe_pieces + 1, bucket, overlap };

PipelineRequest request_of(const StrategyQuery& query, const StrategyValues& values) {
  PipelineRequest request = pipeline_request("data-pipeline", values);
  request.stages = group_size(values[pipe_stages], query.placement);
  request.data_inside = values[order] != 0;
  request.bucket = Bytes{values[bucket]};
  request.overlap = values[overlap] != 0;
  return request;
}

StrategyResult cost(const StrategyQuery& query, const StrategyValues& values) {
  return pipeline_cost(query, request_of(query, values));
}

Seconds at_least(const StrategyQuery& query, const StrategyValues& values) {
  return pipeline_at_least(query, request_of(query, values));
}

std::vector<StrategyValues> variants(const StrategyQuery& query, const StrategyValues& usual) {
  std::vector<StrategyValues> list;
  const std::int64_t devices = query.placement.total();
  for (const std::int64_t stages : divisors(devices)) {
    if (stages == 1) continue;
    const double samples = query.batch * static_cast<double>(stages) / static_cast<double>(devices);
    append_pipelines(list, usual, stages, samples);
  }
  if (query.placement.nodes() == 1) return list;
  const std::size_t count = list.size();
  for (std::size_t i = 0; i < count; ++i) {
    StrategyValues values = list[i];
    values[order] = 1;
    list.push_back(values);
  }
  return list;
}

}  // namespace

StrategyInfo strategy_data_pipeline() {
  StrategyInfo info;
  info.id = "data-pipeline";
  info.summary = "replicas of a pipeline divide the batch";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"data+pipeline"};
  info.parameters = pipeline_parameters("of a replica; 0: the devices of the fullest node");
  info.parameters.push_back({"order", "what stands inside a node: pipeline or data", 0, 0, 1});
  info.parameters.push_back(bucket_parameter());
  info.parameters.push_back(overlap_parameter());
  info.words = schedule_words();
  info.words.push_back({"order", "pipeline", 0});
  info.words.push_back({"order", "data", 1});
  info.cost = cost;
  info.variants = variants;
  info.at_least = at_least;
  return info;
}

}  // namespace sextant
