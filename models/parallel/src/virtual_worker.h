// A virtual worker: its layers cut between GPUs of different kinds, so that the slowest stage is as fast as
// it can be and every stage fits its GPU.
#pragma once

#include "hetpipe.h"

namespace sextant::parallel {

struct VirtualWorkerCost {
  Seconds stage = {};               // the slowest, of one minibatch, without transfers
  Seconds alone = {};               // between two minibatches, without transfers
  Seconds period = {};              // and with them
  Seconds transfer = {};            // into the stage that has most of it, forward and back
  double weights = 0;               // of the stage that has most
  predict::MemoryNeed memory = {};  // of the fullest GPU, by its capacity
  double fill = 0;
};

struct WaveShape {
  double samples = 1;  // of a minibatch
  std::int64_t in_flight = 1;
};

// At least as many layers as GPUs.
VirtualWorkerCost virtual_worker_cost(const ParallelQuery& query, const VirtualWorker& worker,
                                      const WaveShape& wave);

}  // namespace sextant::parallel
