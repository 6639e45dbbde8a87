#include "sextant/measure/attempt.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/measure/clock.h"
#include "sextant/measure/process_state.h"

namespace sextant::measure {
namespace {

constexpr auto kPause = std::chrono::milliseconds(5);
constexpr int kPausesPerLook = 4;  // at signs of life, which cost more than asking for ended children
constexpr std::int64_t kGraceNs = 250'000'000;  // for others to end after the first, to see who was first
// Loading libtorch from a cold disk and reading a data set's index come before the first sign.
constexpr double kStartSeconds = 120;
// A rank that fails while another has been silent for so much of the limit fails because of the other.
constexpr double kNearlySilent = 0.8;

enum class RankState { running, well, failed };

struct Watched {
  Life life;
  std::int64_t changed_ns = 0;  // when its beats were last seen to rise
  RankState state = RankState::running;
  std::string ending = {};
};

// Launchers (mpirun, srun) end the rest with SIGTERM when one rank has failed: who ended so is the last to
// blame.
bool by_launcher(const std::string& ending) {
  return ending.starts_with("killed by signal 15 ");
}
bool by_signal(const std::string& ending) {
  return ending.starts_with("killed by signal") && !by_launcher(ending);
}

std::string last_line(const std::filesystem::path& log) {
  try {
    const std::string text = read_text_file(log.string());
    std::string last;
    for (const std::string& line : split(text, '\n')) {
      if (!trim(line).empty()) last = trim(line);
    }
    return last;
  } catch (const std::runtime_error&) {
    return {};
  }
}

class Attempt {
 public:
  Attempt(const RunnerInfo& runner, const RunRequest& request)
      : request_(request),
        ranks_(static_cast<std::size_t>(rank_count(request.trial))),
        memory_kills_(out_of_memory_kills()),
        processes_(runner.start(request)) {
    for (Watched& rank : ranks_) rank.changed_ns = monotonic_ns();
  }

  AttemptResult run(const AttemptCallbacks& callbacks) {
    AttemptResult result;
    for (int pause = 0;; ++pause) {
      if (callbacks.interrupted()) {
        processes_->kill();
        result.interrupted = true;
        return result;
      }
      const bool running = processes_->running();  // before the poll, so that no ending is missed
      note_endings();
      if (pause % kPausesPerLook == 0) look(callbacks);
      result.failures = lost();
      if (!result.failures.empty()) break;
      if (!running) {
        result = finished();
        break;
      }
      std::this_thread::sleep_for(kPause);
    }
    processes_->kill();
    if (!result.failures.empty()) refuse_bad_input();
    return result;
  }

 private:
  // A process that could not use what it was given was not lost, and none of the others would fare better.
  void refuse_bad_input() const {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      std::optional<BadInput> bad;
      try {
        bad = report_of(static_cast<std::int64_t>(i)).bad_input;
      } catch (const std::runtime_error&) {
        continue;  // no report, or none that can be read
      }
      if (bad) throw InputError(bad->at, bad->message, bad->hint);
    }
  }

  void note_endings() {
    for (const Ended& ended : processes_->poll()) {
      if (ended.rank < 0) {
        launcher_ = ended.what;
        continue;
      }
      Watched& rank = ranks_.at(static_cast<std::size_t>(ended.rank));
      rank.state = ended.what.empty() ? RankState::well : RankState::failed;
      rank.ending = ended.what;
      if (!ended.what.empty() && first_failed_ns_ == 0) {
        first_failed_ = ended.rank;
        first_failed_ns_ = monotonic_ns();
      }
    }
  }

  void look(const AttemptCallbacks& callbacks) {
    std::int64_t least = -1;
    const bool started = processes_->started();
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      Watched& rank = ranks_[i];
      const Life life = read_life(request_.folder, static_cast<std::int64_t>(i));
      if (life.beats != rank.life.beats || !started) rank.changed_ns = monotonic_ns();
      rank.life = life;
      const bool worker = static_cast<std::int64_t>(i) < request_.trial.workers;
      if (worker) least = least < 0 ? life.iterations : std::min(least, life.iterations);
    }
    if (least > iterations_) callbacks.progress(iterations_ = least);
  }

  [[nodiscard]] double silence(const Watched& rank) const {
    return rank.state == RankState::running ? seconds_since(rank.changed_ns) : 0;
  }
  [[nodiscard]] double limit(const Watched& rank) const {
    return rank.life.beats == 0 ? std::max(request_.trial.timeout_s, kStartSeconds)
                                : request_.trial.timeout_s;
  }
  [[nodiscard]] bool stopped(const Watched& rank) const {
    if (rank.state != RankState::running || process_state(rank.life.pid) != 'T') return false;
    return has_word(rank.life.pid, request_.folder.path().string());
  }

  // Whoever is to blame, if anybody failed, and it is time to say so.
  [[nodiscard]] std::vector<Failure> lost() {
    const bool silent = std::ranges::any_of(ranks_, [&](const auto& r) { return silence(r) > limit(r); });
    const bool failed = first_failed_ns_ != 0;
    if (!silent && !failed && launcher_.empty()) return {};
    std::vector<Failure> failures;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (by_signal(ranks_[i].ending)) failures.push_back(failure(i, with_memory(ranks_[i].ending)));
      if (stopped(ranks_[i])) failures.push_back(failure(i, silence_text(i) + " (it is stopped)"));
    }
    if (!failures.empty()) return failures;
    const std::size_t quiet = quietest();
    const bool nearly = silence(ranks_[quiet]) > kNearlySilent * limit(ranks_[quiet]);
    if (silent || (failed && nearly)) return {failure(quiet, silence_text(quiet))};
    if (!failed) return {{.rank = -1, .iteration = iterations_, .what = launcher_}};
    const bool waits = processes_->running() && monotonic_ns() - first_failed_ns_ < kGraceNs;
    if (waits) return {};
    return {blamed()};
  }

  [[nodiscard]] std::size_t quietest() const {
    const auto it = std::ranges::max_element(ranks_, {}, [&](const auto& rank) { return silence(rank); });
    return static_cast<std::size_t>(it - ranks_.begin());
  }

  // Of ranks that ended by themselves with an error: one that could not even report, else one that does not
  // say that it lost another (as transports put it), else the first; those that were told to end come last.
  [[nodiscard]] Failure blamed() const {
    auto rank = static_cast<std::size_t>(first_failed_);
    constexpr int kTold = 3;
    int least = kTold + 1;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (ranks_[i].state != RankState::failed) continue;
      const bool reported =
          std::filesystem::exists(request_.folder.report_file(static_cast<std::int64_t>(i)));
      const bool victim = reported && reason(i).find("lost ") != std::string::npos;
      const int order =
          by_launcher(ranks_[i].ending) ? kTold : static_cast<int>(reported) + static_cast<int>(victim);
      if (order > least || (order == least && static_cast<std::int64_t>(i) != first_failed_)) continue;
      least = order;
      rank = i;
    }
    return failure(rank, ranks_[rank].ending + reason(rank));
  }

  // ": " and what the process said itself, in its report or else in the last line of its log.
  [[nodiscard]] std::string reason(std::size_t index) const {
    const auto rank = static_cast<std::int64_t>(index);
    std::string said;
    try {
      said = report_of(rank).error;
    } catch (const std::runtime_error&) {
      said.clear();  // no report, or none that can be read
    }
    if (said.empty()) said = last_line(request_.folder.log_file(rank));
    return said.empty() ? "" : ": " + said;
  }

  [[nodiscard]] Failure failure(std::size_t index, std::string what) const {
    const Life life = read_life(request_.folder, static_cast<std::int64_t>(index));
    return {.rank = static_cast<std::int64_t>(index),
            .iteration = life.iterations,
            .what = std::move(what),
            .noticed_s = seconds_since(ranks_[index].changed_ns)};
  }
  [[nodiscard]] std::string silence_text(std::size_t index) const {
    return "no sign of life for " + number_text(limit(ranks_[index])) + " s";
  }
  [[nodiscard]] std::string with_memory(const std::string& ending) const {
    const bool memory = out_of_memory_kills() > memory_kills_;
    return memory ? ending + ": the kernel ran out of memory" : ending;
  }

  [[nodiscard]] WorkerReport report_of(std::int64_t rank) const {
    const std::string path = request_.folder.report_file(rank).string();
    return worker_report_from_json(read_text_file(path), path);
  }

  // All processes are gone and said nothing of a failure: do their reports agree?
  [[nodiscard]] AttemptResult finished() {
    AttemptResult result;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      const auto rank = static_cast<std::int64_t>(i);
      if (!std::filesystem::exists(request_.folder.report_file(rank))) {
        result.failures.push_back(failure(i, "ended without a report" + reason(i)));
        continue;
      }
      try {
        WorkerReport report = report_of(rank);
        if (report.rank != rank) result.failures.push_back(failure(i, "wrote the report of another rank"));
        if (!report.error.empty()) result.failures.push_back(failure(i, report.error));
        result.reports.push_back(std::move(report));
      } catch (const std::runtime_error& error) {
        result.failures.push_back(failure(i, std::string("wrote no sound report: ") + error.what()));
      }
    }
    if (!result.failures.empty()) result.reports.clear();
    return result;
  }

  const RunRequest& request_;
  std::vector<Watched> ranks_;
  std::int64_t memory_kills_ = 0;
  std::int64_t iterations_ = 0;
  std::string launcher_ = {};
  std::int64_t first_failed_ = -1;
  std::int64_t first_failed_ns_ = 0;
  std::unique_ptr<Processes> processes_;
};

}  // namespace

AttemptResult run_attempt(const RunnerInfo& runner, const RunRequest& request,
                          const AttemptCallbacks& callbacks) {
  return Attempt(runner, request).run(callbacks);
}

}  // namespace sextant::measure
