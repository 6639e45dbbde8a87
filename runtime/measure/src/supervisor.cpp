#include "sextant/measure/supervisor.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checked_trial.h"
#include "sextant/core/error.h"
#include "sextant/measure/attempt.h"
#include "sextant/measure/clock.h"
#include "sextant/measure/driver_spans.h"
#include "sextant/measure/runner_choice.h"
#include "sextant/measure/scratch_folder.h"
#include "sextant/measure/worker_program.h"
#include "trial_layout.h"

namespace sextant::measure {
namespace {

namespace fs = std::filesystem;

RunFolder make_run_folder(const fs::path& path, const Trial& trial) {
  const RunFolder folder(path);
  std::error_code error;
  fs::create_directories(folder.rendezvous(), error);
  if (error) throw SystemError(folder.path().string() + ": cannot be made: " + error.message());
  write_file_atomically(folder.trial_file(), to_json(trial).dump(2) + "\n");
  return folder;
}

// The trial with those who are left, or nothing where too few are. A launcher that failed by itself says
// nothing of who is left.
std::optional<Trial> without(const Trial& trial, const std::vector<Failure>& failures) {
  if (!has_processes_that_talk(trial)) return {};  // one process was all
  Trial left = trial;
  for (const Failure& failure : failures) {
    if (failure.rank < 0) return {};
    --(failure.rank < trial.workers ? left.workers : left.servers);
  }
  if (left.workers < 1 || (trial.servers > 0 && left.servers < 1)) return {};
  return left;
}

class TrialRun {
 public:
  TrialRun(const Trial& trial, const SuperviseOptions& options)
      : trial_(trial),
        options_(options),
        runner_(chosen_runner(trial, options)),
        worker_(worker_program(options)),
        scratch_(chosen_scratch(runner_, options), options.keep) {
    if (!trial.spans) return;
    driver_ = {.context = driver_context(trial), .start = monotonic_ns()};
    if (!trial.traceparent.empty()) driver_.parent = spans::parse_traceparent(trial.traceparent).span;
    trial_.traceparent = traceparent(driver_.context);
  }

  Supervised run() {
    Supervised done;
    if (options_.keep) done.folder = scratch_.path();
    for (std::int64_t attempt = 0;; ++attempt) {
      const RunFolder folder = next_folder(attempt);
      AttemptResult result = run_attempt(runner_, {trial_, folder, worker_, options_.wrapper},
                                         {options_.interrupted, options_.progress});
      note_resumption(result);
      done.interrupted = result.interrupted;
      const bool well = !result.interrupted && result.failures.empty();
      if (well) done.outcome.ranks = std::move(result.reports);
      if (well && trial_.spans) done.spans = spans_of(folder);
      done.outcome.completed = well;
      const auto left = well || result.interrupted ? std::nullopt : without(trial_, result.failures);
      for (Failure& failure : result.failures) failures_.push_back(std::move(failure));
      if (!left || trial_.on_failure == OnFailure::stop) break;
      trial_ = *left;
    }
    done.outcome.failures = std::move(failures_);
    return done;
  }

 private:
  // With the last checkpoint of the attempt before, if it left one.
  RunFolder next_folder(std::int64_t attempt) {
    const RunFolder folder =
        make_run_folder(scratch_.path() / ("attempt-" + std::to_string(attempt)), trial_);
    if (!last_.empty() && fs::exists(RunFolder(last_).checkpoint_file())) {
      std::error_code error;
      fs::copy_file(RunFolder(last_).checkpoint_file(), folder.checkpoint_file(), error);
      if (error) throw SystemError(folder.checkpoint_file().string() + ": " + error.message());
    }
    last_ = folder.path();
    return folder;
  }

  spans::SpanSet spans_of(const RunFolder& folder) {
    driver_.end = monotonic_ns();
    return gather_spans(folder, trial_, driver_);
  }

  // Those who failed before this attempt learn where it went on: its workers say so.
  void note_resumption(const AttemptResult& result) {
    if (result.reports.empty()) return;
    for (Failure& failure : failures_) {
      if (failure.resumed_from < 0) failure.resumed_from = result.reports[0].first_iteration;
    }
  }

  Trial trial_;
  const SuperviseOptions& options_;
  const RunnerInfo& runner_;
  fs::path worker_;
  ScratchFolder scratch_;
  fs::path last_ = {};
  DriverSpan driver_;
  std::vector<Failure> failures_;
};

}  // namespace

Supervised run_checked_trial(const Trial& trial, const SuperviseOptions& options) {
  return TrialRun(trial, options).run();
}

Supervised run_trial(const Trial& trial, const SuperviseOptions& options) {
  check_trial(trial, options);
  return run_checked_trial(trial, options);
}

}  // namespace sextant::measure
