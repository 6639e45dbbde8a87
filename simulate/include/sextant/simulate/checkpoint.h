// How often a job writes a checkpoint and what failures cost it: short intervals waste time in writing, long
// ones lose more work. Young, CACM 17(9), 1974; Daly, Future Generation Computer Systems 22, 2006.
// All times are seconds. InputError for values that are negative or NaN.
#pragma once

#include <cstdint>

#include "sextant/simulate/run.h"

namespace sextant {

// What a job meets while it runs. A mean time between failures that is infinite: nothing ever fails.
struct FailureCosts {
  double checkpoint_s = 0;  // to write one, while the job stands still
  double restart_s = 0;     // after a failure, before work goes on
  double mtbf_s = 0;        // of the job: any of its nodes
};

// Mean time between failures of any of `nodes` nodes that fail independently: one node's, divided.
double mtbf_of_nodes(double node_mtbf_s, std::int64_t nodes);
// Fraction of time that something is up which fails every `mttf_s` on average and takes `mttr_s` to mend.
double availability(double mttf_s, double mttr_s);
// Probability that a job survives `time_s` without a failure (exponential times).
double survival(double mtbf_s, double time_s);

// Compute between two checkpoints that wastes least. Young: sqrt(2 C M), for C well below M. Daly's next
// order holds up to C = 2 M; beyond that it is M. Infinite where nothing fails; 0 where checkpoints are free.
double young_interval(double cost_s, double mtbf_s);
double daly_interval(double cost_s, double mtbf_s);

// Expected time to get `work_s` of work done with `every_s` of compute between checkpoints (Daly 2006,
// eq. 20): M e^(R/M) (e^((every + C)/M) - 1) work/every. Infinite where it overflows.
double expected_wall_time(const FailureCosts& costs, double work_s, double every_s);
// Fraction of time that is lost, to first order: C/every + (every/2 + R)/M. May exceed 1, where the order
// does not hold.
double checkpoint_waste(const FailureCosts& costs, double every_s);

// Compute between two checkpoints of a job on `nodes` nodes, each of which fails every `node_mtbf_s`.
// Infinite: it writes none. 0: it writes all the time, which costs nothing, and a crash loses nothing.
// InputError for a fixed interval that is not positive.
double checkpoint_interval(const CheckpointPlan& plan, std::int64_t nodes, double node_mtbf_s);

}  // namespace sextant
