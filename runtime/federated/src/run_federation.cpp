#include "sextant/federated/run_federation.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/federated/server.h"
#include "sextant/measure/attempt.h"
#include "sextant/measure/checkpoint.h"
#include "sextant/measure/clock.h"
#include "sextant/measure/driver_spans.h"
#include "sextant/measure/file_descriptor.h"
#include "sextant/measure/runner_choice.h"
#include "sextant/measure/scratch_folder.h"
#include "sextant/measure/worker_program.h"

namespace sextant::federated {
namespace {

namespace fs = std::filesystem;
using measure::RunFolder;

measure::SuperviseOptions supervision(const RunOptions& options) {
  measure::SuperviseOptions supervise;
  supervise.runner = options.runner;
  supervise.worker = options.worker;
  supervise.scratch = options.scratch;
  supervise.wrapper = options.wrapper;
  return supervise;
}

std::string text_of(const Federation& federation) {
  return to_json(federation).dump(2) + "\n";
}

// What rounds depend on: how many processes there are, and how they talk, makes no difference to them.
std::string meaning_of(Federation federation) {
  const Federation usual;
  federation.hosts = usual.hosts;
  federation.threads = usual.threads;
  federation.transport = usual.transport;
  federation.timeout_s = usual.timeout_s;
  federation.spans = usual.spans;
  federation.traceparent = usual.traceparent;
  return text_of(federation);
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw SystemError(path.string() + ": cannot be made: " + error.message());
}

class FederationRun {
 public:
  FederationRun(const Federation& federation, const RunOptions& options)
      : federation_(federation),
        options_(options),
        processes_(processes_of(federation)),
        runner_(measure::chosen_runner(processes_, supervision(options))),
        worker_(measure::worker_program(supervision(options))),
        scratch_(measure::chosen_scratch(runner_, supervision(options)), false),
        state_(options.folder.empty() ? scratch_.path() / "state" : fs::absolute(options.folder)) {
    if (federation.spans) {
      driver_ = {.context = measure::driver_context(processes_), .start = measure::monotonic_ns()};
      processes_.traceparent = federation_.traceparent = traceparent(driver_.context);
    }
    make_folder(state_.path());
    if (options.folder.empty()) return;
    lock();
    check_kept();
  }

  FederationOutcome run() {
    FederationOutcome outcome;
    outcome.resumed_from = std::ssize(rounds());
    std::int64_t since = outcome.resumed_from;
    for (std::int64_t restarts = 0; restarts <= options_.restarts; ++restarts) {
      const RunFolder folder = next_folder();
      measure::AttemptResult result = measure::run_attempt(
          runner_, {processes_, folder, worker_, options_.wrapper},
          {.interrupted = options_.interrupted, .progress = [this](std::int64_t) { tell(); }});
      outcome.rounds = rounds();
      outcome.interrupted = result.interrupted;
      const bool well = !result.interrupted && result.failures.empty();
      outcome.completed = well && is_over(outcome.rounds, federation_);
      if (well && !outcome.completed)
        result.failures.push_back({.rank = federation_.hosts, .what = "it ended before the last round"});
      if (outcome.completed) finish(folder, result, outcome);
      if (outcome.completed || result.interrupted) break;
      const std::int64_t made = std::ssize(outcome.rounds);
      if (made > since) restarts = 0;
      since = made;
      for (measure::Failure& failure : result.failures) {
        failure.iteration = made;
        failure.resumed_from = restarts < options_.restarts ? made : -1;
        outcome.failures.push_back(std::move(failure));
      }
    }
    return outcome;
  }

 private:
  void finish(const RunFolder& folder, const measure::AttemptResult& result, FederationOutcome& outcome) {
    outcome.versions = result.reports.front().versions;
    if (!federation_.spans) return;
    driver_.end = measure::monotonic_ns();
    outcome.spans = gather_spans(folder, processes_, driver_);
  }

  // Two that write their rounds into one folder would spoil each other's. The kernel unlocks for the dead;
  // where the file system knows no locks, nobody is refused.
  void lock() {
    const fs::path file = state_.path() / "lock";
    lock_ = measure::FileDescriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock_.open()) throw SystemError(file.string() + ": cannot be written: " + std::strerror(errno));
    if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    throw InputError(at_field("folder"), "another command is training in " + options_.folder.string(),
                     "wait until it has ended, or take another folder");
  }

  // What the folder holds from before must be of the same federation.
  void check_kept() const {
    const fs::path file = federation_file(state_);
    if (!fs::exists(file)) return measure::write_file_atomically(file, text_of(federation_));
    const Federation before = federation_from_json(read_text_file(file.string()), file.string());
    if (meaning_of(before) == meaning_of(federation_)) return;
    throw InputError(at_field("folder"), options_.folder.string() + " holds the rounds of another federation",
                     "take another folder, or the options with which that one was begun");
  }

  // Each attempt has a folder of its own, and all have the same state: what is written after a round.
  RunFolder next_folder() {
    const RunFolder folder(scratch_.path() / ("attempt-" + std::to_string(attempts_++)));
    make_folder(folder.rendezvous());
    measure::write_file_atomically(folder.trial_file(), to_json(processes_).dump(2) + "\n");
    measure::write_file_atomically(federation_file(folder), text_of(federation_));
    std::error_code error;
    fs::create_directory_symlink(state_.path(), state_of(folder).path(), error);
    if (error) throw SystemError(folder.path().string() + ": cannot be written: " + error.message());
    return folder;
  }

  [[nodiscard]] std::vector<RoundNote> rounds() const {
    if (!fs::exists(state_.checkpoint_file())) return {};
    const std::int64_t last = measure::read_checkpoint(state_.checkpoint_file()).iteration;
    return read_rounds(state_, std::min(last, federation_.rounds));
  }

  void tell() const {
    const std::vector<RoundNote> known = read_rounds(state_, federation_.rounds);
    if (!known.empty()) options_.progress(known.back());
  }

  Federation federation_;
  const RunOptions& options_;
  measure::Trial processes_;
  const measure::RunnerInfo& runner_;
  fs::path worker_;
  measure::ScratchFolder scratch_;
  RunFolder state_;
  measure::FileDescriptor lock_;
  measure::DriverSpan driver_;
  std::int64_t attempts_ = 0;
};

}  // namespace

FederationOutcome run_federation(const Federation& federation, const RunOptions& options) {
  check_federation(federation);
  measure::check_trial(processes_of(federation), supervision(options));
  return FederationRun(federation, options).run();
}

}  // namespace sextant::federated
