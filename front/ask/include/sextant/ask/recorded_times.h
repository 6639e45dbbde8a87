// What really happened to the jobs of a trace that has their starts: the check of a simulation against the
// cluster that the trace is from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sextant/jobs/trace.h"
#include "sextant/simulate/run.h"

namespace sextant::ask {

struct RecordedTimes {
  std::int64_t jobs = 0;  // whose start is recorded
  double mean_jct_s = 0;
  double p50_jct_s = 0;
  double p99_jct_s = 0;
  double makespan_s = 0;
  double mean_wait_s = 0;
};

// Of the jobs that a simulation counts: those of the window among the ones that it does not refuse. Nothing
// where no start is recorded, or work is not run time.
std::optional<RecordedTimes> recorded_times(const jobs::Trace& trace,
                                            const std::vector<simulate::RefusedJob>& refused,
                                            const simulate::JobWindow& window = {});

}  // namespace sextant::ask
