// Replicas of groups whose devices share every layer: data, filter, channel, spatial and tensor parallelism
// are one step with different shares. Inside a group communication waits for nobody and nobody hides it;
// gradients are summed across groups while the backward pass goes on.
#pragma once

#include <vector>

#include "gradient_stream.h"
#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {

// What one device of a group does of a layer.
struct LayerShare {
  double time = 1;        // of the work on each sample
  double weights = 1;     // of the parameters, held and updated
  double kept = 1;        // of the activations
  Seconds forward = {};   // communication inside the group, of a pass
  Seconds backward = {};  //
};

struct ShardedStep {
  double samples = 1;                   // of a group
  std::vector<LayerShare> shares = {};  // of each layer
  StreamTerms gradients = {};
  double slowdown = 1;  // of the backward pass while gradients are summed
  ParallelDegrees degrees = {};
};

ParallelCost sharded_cost(const ParallelQuery& query, const ShardedStep& step);

// Layers dealt to the devices of groups of `shards`, replicas for the rest; every share is whole yet.
// Overlap needs the links of the groups to be other ones than those between them.
struct ShardRequest {
  const char* strategy = "";
  std::int64_t shards = 1;
  ParallelDegrees::Split split = ParallelDegrees::Split::none;
  Bytes bucket = Bytes{25e6};
  bool overlap = true;
};
std::variant<ShardedStep, Infeasible> start_sharded(const ParallelQuery& query, const ShardRequest& request);

// Parameters that several strategies have.
ParameterInfo group_parameter();
ParameterInfo bucket_parameter();
ParameterInfo overlap_parameter();

// `usual` with the size of a group, the parameter of that name, set to every divisor of the devices but 1.
std::vector<Parameters> group_variants(const ParallelQuery& query, const Parameters& usual,
                                       std::string_view name);

}  // namespace sextant::parallel
