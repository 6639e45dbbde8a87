// What does this job really do here? Lists are swept: every combination is a configuration, and they take
// turns in rounds until each median is known.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/core/provenance.h"
#include "sextant/measure/campaign.h"
#include "sextant/measure/factorial.h"

namespace sextant::ask {

struct MeasureQuestion {
  std::vector<std::string> net = {};  // of the zoo, or ONNX files
  std::optional<std::int64_t> image = {};
  std::optional<std::int64_t> seq = {};
  std::optional<std::int64_t> classes = {};
  std::vector<std::int64_t> batch = {32};  // samples of a step on each worker
  std::vector<std::string> strategy = {"auto"};
  std::vector<std::int64_t> workers = {1};
  std::vector<std::int64_t> servers = {1};
  std::vector<std::string> transport = {"gloo-tcp"};
  std::vector<std::string> bucket_mb = {"25"};  // MiB
  std::vector<std::int64_t> threads = {1};      // of each worker
  bool no_overlap = false;
  std::string optimizer = "momentum";
  double learning_rate = 0.01;
  double momentum = 0.9;

  std::string data = "synthetic";
  std::int64_t prefetch = 2;
  std::int64_t iterations = 20;
  std::int64_t warmup = 3;
  std::optional<double> epochs = {};

  std::string runner = "auto";
  std::string timeout = "30s";
  std::string on_failure = "stop";
  std::int64_t checkpoint_every = 0;
  std::optional<std::string> scratch = {};
  std::optional<std::string> wrapper = {};  // "nice -n {rank}": each process is started through it
  bool keep = false;

  double precision = 0.02;
  std::string budget = "2min";
  std::int64_t rounds = 1;

  bool operators = false;  // time every operator instead of iterations
  bool effects = false;    // the lists are a two-level design: three rounds at least
  std::string response = "iteration";
  bool spans = false;  // of one configuration
  std::uint64_t seed = 0;
};

// The product of the lists, in the order of the members; what makes no difference to a strategy (servers
// without parameter server, a transport without processes) is set to one value, and equal trials are kept
// once.
std::vector<measure::Trial> measure_trials(const MeasureQuestion& question);

struct MeasureAnswer {
  measure::CampaignResult campaign;
  spans::SpanSet spans = {};               // if they were asked for
  std::vector<std::string> warnings = {};  // processes that were lost, and what makes a result doubtful
};

// `interrupted` is looked at between steps: what was measured by then is the answer. InputError before
// anything is started for what cannot be measured, and for `effects` of lists that are no design.
MeasureAnswer measure(const MeasureQuestion& question, Progress& progress,
                      const std::function<bool()>& interrupted = {});

// The effects found on one network.
struct NetworkEffects {
  std::string net = {};
  std::vector<measure::FactorEffect> effects = {};
};
// Of each list with two values on the response. Not part of measure(): a design with points that failed has
// none, and what was measured is worth having all the same. InputError where a point is missing.
std::vector<NetworkEffects> measured_effects(const MeasureQuestion& question,
                                             const std::vector<measure::TrialResult>& results);

// Can records be appended to this file? InputError or SystemError, as append_measurements would throw after
// the work is done. Leaves nothing behind.
void check_record_file(const std::string& db);

// Kind "training-step", one for each configuration that was measured, or "operator", one for each operator.
// Gives how many were added.
std::int64_t append_measurements(const std::string& db, const std::vector<measure::TrialResult>& results,
                                 const Provenance& from);

}  // namespace sextant::ask
