// What runs a configuration, one file each in decide/study/evaluators: a recorded table, a command, or this
// program's own predict, simulate and measure.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/study/study_file.h"

namespace sextant::study {

// What a command of this program answered, as values.
struct OwnAnswer {
  struct Row {
    std::map<std::string, double> numbers = {};  // by path: "iteration_s", "memory.weights_bytes"
    std::map<std::string, bool> truths = {};     // "fits"
  };
  int exit_code = 0;
  std::string errors = {};  // what it said besides
  std::vector<Row> rows = {};
};
using Interrupted = std::function<bool()>;
// Runs `sextant ARGS` within this process; given up with the exit code of an interruption when told so. May
// be called by several threads at once.
using OwnCommand =
    std::function<OwnAnswer(const std::vector<std::string>& args, const Interrupted& interrupted)>;

// This program, for those who ask it. It hands itself in, since its commands are above this module.
struct OwnProgram {
  OwnCommand within = {};
  // Words before ARGS that start it as a process of its own; empty: it cannot be started.
  std::vector<std::string> start = {};
  // Held by who wants the machine for itself.
  std::shared_ptr<std::mutex> machine = std::make_shared<std::mutex>();
};

struct EvaluatorSetup {
  const StudySpec& study;
  OwnProgram own = {};
  std::filesystem::path scratch = {};  // logs of trials
  Interrupted interrupted = {};        // stop what runs, give it back
};

// Thrown when the run was stopped from outside: the trial goes back to the queue.
struct EvaluationInterrupted {};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // To be called by one thread, with the number of the trial and its configuration. Failures of the run are
  // results. InputError where nothing can ever be run; SystemError where the machine is at fault, not the
  // configuration.
  virtual explore::TrialOutcome run(const explore::Trial& trial) = 0;
};

struct EvaluatorInfo : PluginInfo {
  static constexpr PluginKind kKind = {"evaluator", "evaluators", "what runs a trial of a study",
                                       "evaluator"};

  std::vector<std::string> aliases = {};
  std::unique_ptr<Evaluator> (*make)(const EvaluatorSetup& setup) = nullptr;
};

// All files of decide/study/evaluators, sorted by id.
const Registry<EvaluatorInfo>& evaluators();

}  // namespace sextant::study
