#include "explore_trials.h"

#include <ostream>

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

ask::StudyAnswer run_trials(const ask::ExploreQuestion& question, const catalog::Catalog& catalog,
                            const Io& io, const Globals& globals) {
  const Interrupt interrupt(Interrupt::Second::is_told);
  ask::StudyHooks hooks;
  hooks.own = own_program(io, globals);
  hooks.interrupted = [&] { return interrupt.asked(); };
  hooks.abandon = [&] { return interrupt.asked_again(); };
  hooks.finished = [&](const study::StudySpec& study, const study::StoredTrial& trial,
                       const study::StudyCourse& course) {
    tell(io, report::trial_line(study, trial, course));
  };
  NoProgress lines_are_shown;
  return ask::explore(question, catalog, hooks, lines_are_shown);
}

}  // namespace sextant::cli
