// How far a model's mean wait moves with the records that its load was estimated from.
#pragma once

#include "sextant/queueing/diagnosis.h"
#include "sextant/stats/interval.h"

namespace sextant::queueing {

// Percentile bootstrap, 95 %: times are drawn again with repeats, the load is estimated again (an scv that
// the model takes as 1 stays 1), and the model solved. Infinite ends where resamples overload the servers.
stats::Interval wait_interval(const Diagnosis& diagnosis, const JobRecords& records);

}  // namespace sextant::queueing
