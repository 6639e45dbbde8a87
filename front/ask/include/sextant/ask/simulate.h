// What policies make of everybody's jobs on a shared cluster: clusters x loads x seeds x policies. Times are
// seconds, "360", or as in "10 min".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/job_fields.h"
#include "sextant/ask/recorded_times.h"
#include "sextant/simulate/sweep.h"

namespace sextant::ask {

struct SimulateQuestion {
  // The jobs: a file, or drawn from distributions.
  std::optional<std::string> trace = {};
  std::optional<std::string> trace_format = {};
  std::vector<std::string> map = {};  // which column of a CSV is which; see trace_format_of
  std::optional<std::string> generate = {};
  std::vector<std::string> loads = {"1"};  // factors on the rate of arrivals
  // Their speeds: a table, predictions, or the run times that the trace states.
  std::optional<std::string> throughputs = {};
  bool predict = false;
  JobFields job = {};  // software; networks are the jobs' models
  ModelFields model = {};
  std::optional<std::string> link = {};  // between nodes, for predicted speeds
  bool estimates = false;                // every job runs for the time limit that its user stated
  std::string plan_by = "run-times";     // what policies are told of: "run-times", or the users' "limits"
  // The cluster and who gets it.
  std::vector<std::string> clusters = {};
  std::vector<std::string> policies = {"fifo"};
  std::optional<std::string> mechanism = {};  // "event" or "rounds"; none: as each policy needs
  std::string round = "360s";
  std::string reallocate = "0s";
  std::string placement = "consolidated";
  std::string startup = "0s";
  std::string restart = "0s";
  std::vector<std::string> faults = {};
  std::optional<std::string> checkpoint = {};  // a time, "young", "daly" or "none"
  std::string checkpoint_cost = "0s";
  // The runs.
  std::uint64_t seed = 0;
  std::int64_t seeds = 1;
  std::optional<std::string> window = {};  // "4000:5000", or "auto": after the warm-up
  std::optional<std::string> until = {};
  bool gavel_compatible = false;
  std::optional<std::string> replay_allocations = {};  // recorded shares, through Gavel's rounds
  std::int64_t threads = 0;                            // 0: as many as there are cores
  // What is kept beside the metrics: outcomes of every job, use over time, who ran where and when.
  bool keep_jobs = false;
  bool keep_utilization = false;
  bool keep_timeline = false;
};

struct SimulationAnswer {
  simulate::SweepPlan plan = {};  // what was run, without the jobs and speeds
  std::vector<simulate::SweepRun> runs = {};
  std::vector<std::string> notes = {};  // what the readers of files and the simulation take for granted
  std::vector<std::string> warnings =
      {};                // jobs that can never run or did not end, and whether it was stopped
  bool stopped = false;  // before all runs were done
  std::optional<RecordedTimes> recorded = {};  // what happened to the same jobs, where the trace says so
};

// Reads the files that the question names. InputError for what contradicts itself.
SimulationAnswer simulate(const SimulateQuestion& question, const catalog::Catalog& catalog,
                          Progress& progress, const RunStop& stop = {});

}  // namespace sextant::ask
