// How often a job writes a checkpoint: short intervals waste time in writing, long ones lose more work.
// Young, CACM 17(9), 1974; Daly, Future Generation Computer Systems 22, 2006. Both suppose that failures are
// independent and exponential. InputError for times that are negative or NaN.
#pragma once

#include <cstdint>

#include "sextant/core/units.h"

namespace sextant::failures {

// Mean time between failures of any of `nodes` nodes that fail independently: one node's, divided.
Seconds mtbf_of_nodes(Seconds node_mtbf, std::int64_t nodes);

// Compute between two checkpoints that wastes least, where writing one costs C and something fails every M on
// average. Young: sqrt(2 C M), for C well below M. Daly's next order holds up to C = 2 M; beyond that it is
// M. Infinite where nothing fails; 0 where checkpoints are free.
Seconds young_interval(Seconds cost, Seconds mtbf);
Seconds daly_interval(Seconds cost, Seconds mtbf);

// What interruptions cost a job.
struct InterruptionCosts {
  Seconds checkpoint{};  // to write one
  Seconds restart{};     // from a failure until the job computes again
};

// Share of the time in which the job gets on, by Daly's closed form (2006, eq. 20): `every` between two
// checkpoints, of an `every` above 0.
double closed_form_goodput(const InterruptionCosts& costs, Seconds every, Seconds mtbf);

}  // namespace sextant::failures
