// The cost table of ParaDL (Kahira et al., HPDC 2021) as published, for an epoch: rings of messages of
// alpha + beta m, no start-ups, no overlap, and two copies (value and gradient) of whatever a device holds.
// The strategies refine it; with the same assumptions they give the same.
#pragma once

#include <cstdint>
#include <span>

#include "sextant/collectives/collective.h"
#include "sextant/parallel/workload.h"

namespace sextant::parallel {

struct ParadlRun {
  double dataset = 1;           // D: samples of an epoch
  double batch = 1;             // B: of all devices
  double devices = 1;           // p
  double segments = 1;          // S: micro-batches of a pipeline
  collectives::Path link = {};  // alpha and 1 / beta
  double contention = 1;        // beta of the sum of gradients is multiplied by this
};

struct ParadlCost {
  Seconds compute;
  Seconds communication;
  Bytes memory;  // of a device

  [[nodiscard]] Seconds total() const { return compute + communication; }
};

ParadlCost paradl_serial(const Workload& load, const ParadlRun& run);
ParadlCost paradl_data(const Workload& load, const ParadlRun& run);
ParadlCost paradl_spatial(const Workload& load, const ParadlRun& run);
ParadlCost paradl_filter(const Workload& load, const ParadlRun& run);
ParadlCost paradl_channel(const Workload& load, const ParadlRun& run);
// `firsts`: the first layer of each of the p stages.
ParadlCost paradl_pipeline(const Workload& load, const ParadlRun& run, std::span<const std::size_t> firsts);
// Groups of `inner` devices share filters or maps; p / inner groups share the batch.
ParadlCost paradl_data_filter(const Workload& load, const ParadlRun& run, double inner);
ParadlCost paradl_data_spatial(const Workload& load, const ParadlRun& run, double inner);

}  // namespace sextant::parallel
