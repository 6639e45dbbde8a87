// How far a model's mean wait moves with the records that its load was estimated from.
#pragma once

#include "sextant/core/stats/interval.h"
#include "sextant/queueing/diagnosis.h"

namespace sextant {

// Percentile bootstrap, 95 %: times are drawn again with repeats, the load is estimated again (an scv that
// the model takes as 1 stays 1), and the model solved. Infinite ends where resamples overload the servers.
Interval wait_interval(const Diagnosis& diagnosis, const JobRecords& records);

}  // namespace sextant
