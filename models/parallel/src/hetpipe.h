// HetPipe: pipelines of GPUs of several kinds ("virtual workers") that do data parallelism among each other
// (Park et al., ATC 2020). A wave is the minibatches that a virtual worker has in flight.
#pragma once

#include <cstdint>
#include <vector>

#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {

// Updates that a minibatch may miss: (D + 1)(s + 1) + s - 1 with s = in_flight - 1, if a virtual worker may
// lead by `clock` (D) waves.
double hetpipe_staleness(std::int64_t in_flight, std::int64_t clock);

struct VirtualGpu {
  std::size_t node = 0;
  std::size_t kind = 0;  // in ParallelQuery::devices
};
using VirtualWorker = std::vector<VirtualGpu>;

// A node each; one GPU of every node each; or halves of two nodes each, the fastest paired with the slowest.
enum class Grouping { node_wise, equal, hybrid };

// Empty where the nodes do not allow the grouping: unequal numbers of GPUs, an odd number of nodes.
std::vector<VirtualWorker> group_gpus(const ParallelQuery& query, Grouping grouping);

}  // namespace sextant::parallel
