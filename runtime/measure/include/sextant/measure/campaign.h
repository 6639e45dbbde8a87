// Several configurations measured against each other: rounds in which each takes its turn in a drawn order,
// so that a machine that gets slower is slower for all, repeated until each median is known well enough or
// the budget is spent.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/measure/supervisor.h"
#include "sextant/stats/interval.h"

namespace sextant::measure {

struct Percentiles {
  double median = 0;
  double p10 = 0;
  double p90 = 0;
};

// A measured configuration. Times are those of the slowest worker of each iteration, after the warm-up.
struct TrialResult {
  Trial trial;
  Percentiles iteration_s;
  stats::Interval median_interval;  // 95 %, of the median
  IterationTimes breakdown;         // medians over iterations, of the mean worker
  WireBytes bytes_per_iteration;    // of one worker, mean
  double samples_per_s = 0;         // of all workers
  double loss = 0;                  // of the last iteration, mean of workers
  std::optional<double> accuracy = {};
  double peak_rss_bytes = 0;  // largest of the processes
  std::int64_t rounds = 0;
  std::int64_t measured = 0;  // iterations that count
  std::int64_t warmup_dropped = 0;
  std::int64_t outliers = 0;                 // by median and MAD, |z| > 3.5
  bool precise = false;                      // the interval is within the target
  std::vector<std::string> warnings = {};    // "7 of 60 iterations were slow: another process is busy; …"
  std::vector<double> iteration_times = {};  // that count, in order of rounds
  std::vector<double> round_medians = {};
  std::vector<double> losses = {};  // of the first round, mean of workers, by iteration
  Supervised last;                  // of the last round
};

struct CampaignOptions {
  SuperviseOptions supervise;
  double precision = 0.02;        // half-width of the interval, relative to the median
  double budget_s = 120;          // for all; docs/models/measurement-statistics.md says why
  std::int64_t least_rounds = 1;  // of each, whatever the budget
  std::uint64_t seed = 0;
};

struct CampaignResult {
  std::vector<TrialResult> results;                          // in the order of the trials
  std::vector<std::pair<std::string, std::string>> machine;  // load, cores, versions: for the provenance
  bool interrupted = false;                                  // the rest was not measured
  double seconds = 0;                                        // that it took
  // Why it stopped, and how sure the medians are: "Stopped after 34 rounds in 2 min because …".
  std::string ending = {};
};

CampaignResult run_campaign(const std::vector<Trial>& trials, const CampaignOptions& options,
                            Progress& progress);

}  // namespace sextant::measure
