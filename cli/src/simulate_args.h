// What `sextant simulate` takes, and how that becomes a plan of runs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "predict_args.h"
#include "sextant/cli/command.h"
#include "sextant/jobs/throughputs.h"
#include "sextant/simulate/sweep.h"

namespace sextant {

struct SimulateArgs {
  std::optional<std::string> trace;
  std::optional<std::string> trace_format;
  std::optional<std::string> generate;
  std::optional<std::string> throughputs;
  PredictArgs prediction;  // software and predictor, with --predict
  bool predict = false;
  bool estimates = false;
  std::optional<std::string> network;
  std::vector<std::string> clusters;
  std::vector<std::string> policies = {"fifo"};
  std::optional<std::string> mechanism;
  std::string round = "360s";
  std::string reallocate = "0s";
  std::vector<std::string> loads = {"1"};
  std::int64_t seeds = 1;
  std::optional<std::string> window;
  std::string placement = "consolidated";
  std::vector<std::string> faults;
  std::string startup = "0s";
  std::string restart = "0s";
  std::optional<std::string> checkpoint;
  std::string checkpoint_cost = "0s";
  std::optional<std::string> until;
  bool gavel = false;
  std::optional<std::string> replay;
  std::optional<std::string> jobs_out;
  std::optional<std::string> timeline_out;
  std::optional<std::string> plot_jct;
  std::optional<std::string> plot_utilization;
  std::int64_t threads = 0;
};

std::vector<Option> simulate_options(SimulateArgs& args);

// A plan and what it refers to.
struct SimulationInput {
  Catalog catalog;
  std::optional<ThroughputTable> table = {};
  std::unique_ptr<Predictor> one_device = {};
  std::vector<RecordedAllocation> recorded = {};
  std::vector<std::string> notes = {};  // of the trace's reader
  WorkUnit unit = WorkUnit::reference_seconds;
  SweepPlan plan = {};
};

// Reads every file that the options name. InputError for what contradicts itself.
std::unique_ptr<SimulationInput> simulation_input(const SimulateArgs& args, const Io& io,
                                                  const Globals& globals);

}  // namespace sextant
