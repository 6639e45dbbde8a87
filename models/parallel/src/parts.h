// What the strategies have in common: the device that others wait for, memory, checks that divide.
#pragma once

#include <optional>

#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {

// The kind of device, among those placed, that takes longest for a sample: in a synchronous step all
// others wait for it.
const Workload& slowest_load(const ParallelQuery& query);

// Smallest known memory among the devices placed; 0 where none is known.
Bytes smallest_memory(const ParallelQuery& query);

// What one device holds: parameters, and samples with `kept` bytes each.
struct Held {
  double weights = 0;
  Bytes activations = {};
};
predict::MemoryNeed memory_of(const WorkloadTerms& terms, const Held& held);

// Sets memory, fill and batch.
void set_memory(ParallelCost& cost, const ParallelQuery& query, const predict::MemoryNeed& memory);

// "data: a batch of 100 cannot be divided by 8; 96 and 104 can", or nothing if it can.
std::optional<Infeasible> uneven_batch(const char* strategy, double batch, std::int64_t parts);
// "data-filter: groups of 3 cannot be made of 8 devices", or nothing.
std::optional<Infeasible> uneven_groups(const char* strategy, std::int64_t group, std::int64_t devices);

}  // namespace sextant::parallel
