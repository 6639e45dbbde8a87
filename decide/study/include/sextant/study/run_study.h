// A study from its first trial to its last, or from where it stood: claims, evaluations, budget, stop.
#pragma once

#include "sextant/core/progress.h"
#include "sextant/study/evaluator.h"
#include "sextant/study/study_store.h"

namespace sextant::study {

enum class StudyEnd {
  not_yet,
  budget,
  strategy_stopped,
  space_exhausted,
  design_done,
  all_failed,
  interrupted
};
std::string end_text(StudyEnd end);  // a sentence for people

// What a strategy that has a model expects of the trial that it proposed last.
struct Outlook {
  std::optional<double> improvement = {};  // on average, as a share of the best; one objective only
  double chance_of_better = 0;             // that it beats the best, by however little
};

struct StudyOutcome {
  StudyEnd end = StudyEnd::not_yet;
  std::vector<StoredTrial> trials = {};  // of all workers
  std::optional<std::size_t> best = {};  // index into trials
  std::vector<std::size_t> front = {};   // several objectives: Pareto
  double cost_usd = 0;
  double seconds = 0;  // in which some trial ran
  std::optional<Outlook> outlook = {};
};

// A study on its way, after one more trial.
struct StudyCourse {
  std::size_t finished = 0;  // trials, of all workers
  std::optional<StoredTrial> best = {};
  double cost_usd = 0;
};

struct StudyRunOptions {
  std::string worker;  // unique: host and process
  OwnProgram own = {};
  std::filesystem::path scratch = {};
  std::string location = {};                             // of the store, for past studies in it
  bool force = false;                                    // go on though the study was changed
  std::function<bool()> interrupted = {};                // end after what is in hand
  std::function<bool()> abandon = {};                    // give back what is in hand
  std::function<void(const StoredTrial&)> started = {};  // before each trial of this process, by its thread
  // After each trial of this process, with what is known by then; one call at a time.
  std::function<void(const StoredTrial&, const StudyCourse&)> finished = {};
};

// InputError for a study that cannot be run, SystemError where the store or the machine fails; what was
// finished is in the store by then.
StudyOutcome run_study(const StudySpec& study, StudyStore& store, const StudyRunOptions& options,
                       Progress& progress);
// What stands in the store, without running anything.
StudyOutcome study_outcome(const StudySpec& study, StudyStore& store);

// Placed in the space, as strategies see them; those whose configuration is not in the space (any more) are
// left out.
std::vector<explore::Trial> search_trials(const explore::SearchSpace& space,
                                          const std::vector<StoredTrial>& stored);

// Asks without running: claims `count` trials for `worker`, to be finished later by tell_trial(). Fewer where
// the study ends before.
struct AskedTrials {
  std::vector<StoredTrial> trials = {};
  StudyEnd end = StudyEnd::not_yet;
};
AskedTrials ask_trials(const StudySpec& study, StudyStore& store, const StudyRunOptions& options,
                       std::size_t count);
// The result of a trial that was run elsewhere; cost and `seconds` are filled in. InputError where there is
// no such trial, it has ended, a metric is missing or not finite.
StoredTrial tell_trial(const StudySpec& study, StudyStore& store, std::int64_t number,
                       const explore::TrialOutcome& told);

}  // namespace sextant::study
