// Where the time of each cycle of each worker went.
#pragma once

#include <vector>

#include "run_timeline.h"

namespace sextant::spans {

struct CycleTotals {
  std::vector<double> phase;  // s; communication: while any transfer was under way
  double exposed_s = 0;       // communication while the training thread did nothing else
  double transfer_s = 0;      // communication without waiting for other ranks
  double progress_s = 0;      // what it took to arrive at the barriers, each counted from the one before it
};

// [worker][cycle]
using RunTotals = std::vector<std::vector<CycleTotals>>;
RunTotals run_totals(const RunTimeline& run);

// For each collective, when the last rank arrived.
std::vector<std::int64_t> barrier_times(const RunTimeline& run);

}  // namespace sextant::spans
