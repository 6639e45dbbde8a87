// How often a simulated job writes a checkpoint.
#pragma once

#include <cstdint>

#include "sextant/simulate/run.h"

namespace sextant::simulate {

// Compute between two checkpoints of a job on `nodes` nodes, each of which fails every `node_mtbf`.
// Infinite: it writes none. 0: it writes all the time, which costs nothing, and a crash loses nothing.
// InputError for a fixed interval that is not positive.
Seconds checkpoint_interval(const CheckpointPlan& plan, std::int64_t nodes, Seconds node_mtbf);

}  // namespace sextant::simulate
