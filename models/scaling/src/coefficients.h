// The coefficients of the law, with what is assumed of them before a step is timed.
#pragma once

#include <array>

#include "sextant/scaling/model.h"

namespace sextant::scaling {

namespace scaling_coefficient {
enum ScalingIndex : std::size_t {
  fixed,
  sample,
  parallel_fixed,
  parallel,  // compute
  slow_gpus,
  slow_nodes,  // compute, with more GPUs
  size,
  size_sync,
  size_fixed,
  size_here,  // synchronisation: the network
  inside,
  inside_gpus,  // within a node
  two,
  two_gpus,
  many,
  many_gpus,
  many_nodes,  // between two nodes, three and more
  uneven,
  start,
  overlap
};
}  // namespace scaling_coefficient

// What a coefficient works on.
enum class Part { fixed, sample, compute, sync, inside, outside, start, overlap };

struct Prior {
  const char* name;
  Part part;
  double mean, shared;            // of the shared value, and its standard deviation
  double cluster, network, cell;  // standard deviations of the departures; 0: there is none
};

extern const std::array<Prior, kScalingCoefficients> kPriors;

}  // namespace sextant::scaling
