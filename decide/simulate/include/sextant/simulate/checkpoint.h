// How often a job writes a checkpoint: short intervals waste time in writing, long ones lose more work.
// Young, CACM 17(9), 1974; Daly, Future Generation Computer Systems 22, 2006. InputError for times that are
// negative or NaN.
#pragma once

#include <cstdint>

#include "sextant/simulate/run.h"

namespace sextant::simulate {

// Mean time between failures of any of `nodes` nodes that fail independently: one node's, divided.
Seconds mtbf_of_nodes(Seconds node_mtbf, std::int64_t nodes);

// Compute between two checkpoints that wastes least, where writing one costs C and something fails every M on
// average. Young: sqrt(2 C M), for C well below M. Daly's next order holds up to C = 2 M; beyond that it is
// M. Infinite where nothing fails; 0 where checkpoints are free.
Seconds young_interval(Seconds cost, Seconds mtbf);
Seconds daly_interval(Seconds cost, Seconds mtbf);

// Compute between two checkpoints of a job on `nodes` nodes, each of which fails every `node_mtbf`.
// Infinite: it writes none. 0: it writes all the time, which costs nothing, and a crash loses nothing.
// InputError for a fixed interval that is not positive.
Seconds checkpoint_interval(const CheckpointPlan& plan, std::int64_t nodes, Seconds node_mtbf);

}  // namespace sextant::simulate
