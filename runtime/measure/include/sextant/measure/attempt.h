// One start of a trial's processes, watched to its end. Who is to blame when several processes fail within
// moments of each other is decided here: a rank that is lost makes the others fail too.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sextant/measure/outcome.h"
#include "sextant/measure/runner.h"

namespace sextant::measure {

struct AttemptCallbacks {
  std::function<bool()> interrupted;
  std::function<void(std::int64_t iteration)> progress;  // that all workers have finished
};

struct AttemptResult {
  std::vector<WorkerReport> reports;  // of all ranks, if it went well
  std::vector<Failure> failures;      // whoever is to blame; empty: it went well, or was interrupted
  bool interrupted = false;
};

// Starts, watches, and returns when nothing runs any more. InputError for what a process could not use, such
// as an image that cannot be read.
AttemptResult run_attempt(const RunnerInfo& runner, const RunRequest& request,
                          const AttemptCallbacks& callbacks);

}  // namespace sextant::measure
