// What the open models share: checks, Little's law, the result of an overload, quantiles of waiting.
#pragma once

#include "sextant/queueing/open_queue.h"

namespace sextant::queueing {

void check_load(const Load& load);

// Model, load, utilisation and stability; with infinite numbers and times when not stable.
QueueResult start_result(const std::string& model, const Load& load);

// Response, and both mean numbers by Little's law, from the mean waiting time and the throughput.
void finish_by_little(QueueResult& result, Seconds waiting);

// Of a wait that is 0 with probability 1 - waits, else exponential with that mean.
TimeQuantiles exponential_waits(double waits, Seconds mean_of_those);

}  // namespace sextant::queueing
