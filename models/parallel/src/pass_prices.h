// Layers with the times of a pass of any number of samples, each number asked of the predictor once.
#pragma once

#include "sextant/parallel/network_workload.h"

namespace sextant::parallel {

struct PassQuestion {
  ProfileSource source;
  jobs::Job job;
  catalog::Gpu gpu;
  std::vector<LayerLoad> layers = {};  // with all but the times
  std::vector<std::size_t> last = {};  // node of each layer
  WorkloadTerms terms = {};
};

// What `source` refers to outlives the pricing.
PassPricing pass_pricing(PassQuestion question);

}  // namespace sextant::parallel
