// Gavel's simulator (OSDI'20), reproduced to the bit of its completion times: rounds in double precision in
// its order of operations, quirks included. For comparisons with published results; the other mechanisms mend
// them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/simulate/run.h"

namespace sextant::simulate {

// One call of a policy as recorded from Gavel: the time and the shares by job or pair.
struct RecordedShare {
  std::int32_t first = 0;          // job, by its line in the trace from 0
  std::int32_t second = -1;        // of a pair; -1: none
  std::vector<double> share = {};  // by pool of the cluster
};
struct RecordedAllocation {
  Seconds time{};
  std::vector<RecordedShare> shares = {};
};

// One JSON value a line, "[t, {job: {type: share}}]"; a pair is the text "(221, 284)". Plain text or gzip.
std::vector<RecordedAllocation> read_recorded_allocations(const std::string& path,
                                                          const clusters::Cluster& cluster);
std::vector<RecordedAllocation> parse_recorded_allocations(const std::string& text, const std::string& file,
                                                           const clusters::Cluster& cluster);

struct GavelOptions {
  schedule::PolicyChoice policy;  // with `share`
  Seconds round{360};
  Seconds reset{1920};  // least time between two calls of the policy
  std::uint64_t seed = 0;
  const std::vector<RecordedAllocation>* replay = nullptr;  // instead of calling the policy
  std::int64_t window_begin = 0;                            // run until these jobs are done; 0, 0: all
  std::int64_t window_end = 0;
  RunOptions::Abandon abandon = {};
};

// A job that failed five times in a row ends `unfinished`, as in Gavel.
RunResult simulate_gavel(const JobSet& jobs, const clusters::Cluster& cluster, const GavelOptions& options);

}  // namespace sextant::simulate
