#include "explore_trials.h"

#include <mutex>
#include <ostream>
#include <set>
#include <utility>

#include "interrupt.h"
#include "own_program.h"
#include "sextant/core/progress.h"
#include "sextant/report/search_course.h"
#include "sextant/report/study_report.h"

namespace sextant::cli {

void CoursePicture::draw(const Io& io, const ask::StudyAnswer& answer) {
  if (!file_) return;
  if (!answer.outcome.best) {
    warn(io, "no picture: no trial has completed within the limits");
    return;
  }
  file_->stream() << report::study_course_svg(answer.study, answer.outcome);
  file_->commit();
}

namespace {

// What people see while trials run: a line for each, and after Ctrl-C what is waited for. Called by the
// threads that run the trials.
class TrialLines {
 public:
  explicit TrialLines(const Io& io) : io_(io) {}

  // Lines of trials that begin are for who waits at a terminal.
  void started(const study::StudySpec& study, const study::StoredTrial& trial) {
    const std::scoped_lock lock(mutex_);
    running_.insert(trial.number);
    if (io_.err_is_terminal) tell(io_, report::started_line(study, trial));
  }

  void finished(const study::StudySpec& study, const study::StoredTrial& trial,
                const study::StudyCourse& course) {
    const std::scoped_lock lock(mutex_);
    running_.erase(trial.number);
    tell(io_, report::trial_line(study, trial, course));
  }

  void interrupted() {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(told_, true) || running_.empty()) return;
    tell(io_, report::waiting_line({running_.begin(), running_.end()}));
  }

 private:
  const Io& io_;
  std::mutex mutex_;
  std::set<std::int64_t> running_;
  bool told_ = false;
};

}  // namespace

ask::StudyAnswer run_trials(const ask::ExploreQuestion& question, const catalog::Catalog& catalog,
                            const Io& io, const Globals& globals) {
  const Interrupt interrupt(Interrupt::Second::is_told);
  ask::StudyHooks hooks;
  hooks.own = own_program(io, globals);
  hooks.interrupted = [&] { return interrupt.asked(); };
  TrialLines lines(io);
  hooks.abandon = [&] {  // asked again and again while a trial runs
    if (interrupt.asked()) lines.interrupted();
    return interrupt.asked_again();
  };
  hooks.started = [&](const auto& study, const auto& trial) { lines.started(study, trial); };
  hooks.finished = [&](const auto& study, const auto& trial, const auto& course) {
    lines.finished(study, trial, course);
  };
  NoProgress lines_are_shown;
  return ask::explore(question, catalog, hooks, lines_are_shown);
}

}  // namespace sextant::cli
