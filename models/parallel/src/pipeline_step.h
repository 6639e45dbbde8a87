// A step of pipelines, alone or replicated: cuts of about equal work that few elements cross, fill and
// drain, transfers between stages, and the sum of gradients between replicas behind the last micro-batch.
#pragma once

#include "pipeline.h"
#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {

struct PipelineRequest {
  const char* strategy = "";
  std::int64_t stages = 1;
  std::int64_t micro = 0;  // 0: 4 a stage; where it does not divide the batch, some have a sample more
  Schedule schedule = Schedule::one_f_one_b;
  std::int64_t pieces = 1;
  bool data_inside = false;  // replicas of a stage are neighbours, rather than the stages of a replica
  Bytes bucket = Bytes{25e6};
  bool overlap = true;
};

ParallelResult pipeline_cost(const ParallelQuery& query, const PipelineRequest& request);

// Stages, micro-batches and pieces, or why they cannot be.
std::variant<PipelineShape, Infeasible> shape_of(const ParallelQuery& query, const PipelineRequest& request);
// Samples of a replica.
double replica_batch(const ParallelQuery& query, const PipelineRequest& request);

// Every stage with an equal share of all layers, and the bubble; 0 where the shape cannot be.
Seconds pipeline_at_least(const ParallelQuery& query, const PipelineRequest& request);

// Parameters that pipelines have in common.
std::vector<ParameterInfo> pipeline_parameters(const char* stages);
PipelineRequest pipeline_request(const char* strategy, const Parameters& parameters);

// `usual` with numbers of micro-batches and pieces that suit `stages` stages and `samples` of a replica.
void append_pipelines(std::vector<Parameters>& list, Parameters usual, std::int64_t stages, double samples);

}  // namespace sextant::parallel
