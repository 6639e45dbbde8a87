// A trace in figures: how many jobs, how large, how long, and what load they are for a cluster of some size.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sextant/jobs/throughputs.h"
#include "sextant/jobs/trace.h"

namespace sextant::jobs {

struct SampleFigures {
  double mean = 0;
  double low = 0, p10 = 0, median = 0, p90 = 0, p99 = 0, high = 0;
};

struct TraceSummary {
  std::string source;
  std::string format;
  WorkUnit unit = WorkUnit::reference_seconds;
  std::int64_t rows = 0;
  std::int64_t jobs = 0;
  std::map<std::string, std::int64_t> dropped = {};
  std::vector<std::string> notes = {};
  double span_s = 0;                // from the first arrival to the last
  std::optional<double> gap_scv{};  // squared coefficient of variation of the gaps; 1: Poisson
  double mean_gpus = 0;
  std::int32_t most_gpus = 0;
  std::map<std::int32_t, std::int64_t> gangs = {};  // jobs by number of GPUs
  SampleFigures work = {};                          // in the unit of the trace
  std::optional<SampleFigures> duration{};          // seconds on the reference type, where they are known
  std::optional<double> gpu_hours{};                // likewise; shares of a GPU count as such
  std::int64_t users = 0;
  std::int64_t models = 0;
  std::int64_t with_deadline = 0;
  std::int64_t sharing = 0;  // jobs that ask for less than a whole GPU

  // lambda E[g S] / N: above 1 the jobs pile up. Nothing where durations are not known or all jobs come at
  // once.
  [[nodiscard]] std::optional<double> offered_load(double gpus) const;
};

// Seconds of every job with all its GPUs on a type: the work, the steps by the table, or what the file states
// as duration. Nothing where neither is known for every job.
std::optional<std::vector<double>> reference_durations(const Trace& trace,
                                                       const ThroughputTable* table = nullptr,
                                                       std::string_view type = "v100");

// InputError for a trace without jobs.
TraceSummary summarize(const Trace& trace, const std::optional<std::vector<double>>& durations);

}  // namespace sextant::jobs
