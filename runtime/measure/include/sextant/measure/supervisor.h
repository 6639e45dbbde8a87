// Runs one trial to its end: checks before anything starts, watches signs of life, and when a process is lost
// stops with a report or goes on from the last checkpoint with the rest. Nothing is left running, whatever
// happens.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sextant/measure/outcome.h"
#include "sextant/measure/runner.h"
#include "sextant/spans/span.h"

namespace sextant::measure {

struct SuperviseOptions {
  std::string runner = "local";        // "auto": mpi for MPI's transports, else local
  std::filesystem::path worker = {};   // empty: beside this program
  std::filesystem::path scratch = {};  // empty: the system's for temporary files; slurm: the working folder
  bool keep = false;                   // the run folder, for looking at it
  std::vector<std::string> wrapper = {};  // as RunRequest's
  std::function<bool()> interrupted = [] { return false; };
  std::function<void(std::int64_t iteration)> progress = [](std::int64_t) {};
};

struct Supervised {
  TrialOutcome outcome;
  spans::SpanSet spans;               // of all ranks and the driver, if the trial asks for them
  std::filesystem::path folder = {};  // where the run's files are, if they were to be kept
  bool interrupted = false;
};

// Everything that can be known before a start: strategy, transport and runner exist and go together, memory
// is enough, data set is there, programs are installed, folders can be written. InputError (exit 2) or
// SystemError (exit 1).
void check_trial(const Trial& trial, const SuperviseOptions& options);

// InputError also for what a process found out only while it trained, such as an image that cannot be read.
Supervised run_trial(const Trial& trial, const SuperviseOptions& options);

}  // namespace sextant::measure
