// The best configuration with the fewest runs: studies, run here, or asked and told from outside.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/study/run_study.h"

namespace sextant::ask {

// Which study, and where it lives.
struct StudyPlace {
  std::optional<std::string> study = {};  // TOML file
  std::optional<std::string> store = {};  // an SQLite file, empty: beside the study file; or postgresql://
};

// A study without a file.
struct InlineStudy {
  std::optional<std::string> run = {};   // command of a trial, with {factor} in it
  bool shell = false;                    // it is a line for a shell
  std::vector<std::string> factor = {};  // "batch=16,32,64", "workers=1..8", "rate=1e-5..0.1:log"
  std::vector<std::string> constraint = {};
  std::optional<std::string> metric =
      {};  // where the first objective stands in the output: a regular expression
  std::vector<std::string> minimise =
      {};  // metrics; none to minimise or maximise: seconds that the command takes
  std::vector<std::string> maximise = {};
  std::vector<std::string> limit = {};      // "seconds <= 60"
  std::optional<std::string> cost = {};     // dollars of a trial, an expression
  std::optional<std::string> timeout = {};  // of a trial
};
// The text of a study file that says the same.
std::string inline_study_text(const InlineStudy& given, std::int64_t trials);

struct ExploreQuestion {
  StudyPlace place = {};
  InlineStudy inline_study = {};  // instead of a file
  // What else than the file says, if given.
  std::optional<std::string> strategy = {};
  std::optional<std::int64_t> trials = {};
  std::optional<std::int64_t> workers = {};  // trials at a time
  bool force = false;                        // go on though the study was changed
  std::uint64_t seed = 0;                    // 0: the study's
};

// What a study takes from who runs it.
struct StudyHooks {
  study::OwnProgram own = {};
  std::function<bool()> interrupted = {};  // end after what is in hand
  std::function<bool()> abandon = {};      // give back what is in hand
  // Before and after each trial of this process; calls of the latter come one at a time.
  std::function<void(const study::StudySpec&, const study::StoredTrial&)> started = {};
  std::function<void(const study::StudySpec&, const study::StoredTrial&, const study::StudyCourse&)>
      finished = {};
};

struct StudyAnswer {
  study::StudySpec study;
  study::StudyOutcome outcome = {};
};

// Runs trials until the budget is spent or the strategy expects nothing of more; goes on where it stood. No
// trial within the limits is an answer without a best.
StudyAnswer explore(const ExploreQuestion& question, const catalog::Catalog& catalog, const StudyHooks& hooks,
                    Progress& progress);
// Everything is checked that can be without a run; the outcome is what stands.
StudyAnswer check_study(const ExploreQuestion& question, const catalog::Catalog& catalog,
                        const study::OwnProgram& own);

// Of a study file, or of what a store holds: then `study` is the store itself, an SQLite file or
// postgresql://.
struct StatusQuestion {
  StudyPlace place = {};
  std::optional<std::string> name = {};  // which study of a store that holds several
  std::uint64_t seed = 0;
};
// One answer, or one for each study of a store that holds several where none was named.
std::vector<StudyAnswer> study_status(const StatusQuestion& question, const catalog::Catalog& catalog);

// The next configurations, for a loop of one's own: they are the asker's until tell_trial().
struct AskTrialsQuestion {
  StudyPlace place = {};
  std::int64_t count = 1;
  bool force = false;  // go on though the study was changed
  std::uint64_t seed = 0;
};
struct AskTrialsAnswer {
  study::StudySpec study;
  std::vector<study::StoredTrial> trials = {};  // fewer, or none, where the study ends
  std::vector<std::string> warnings = {};
};
AskTrialsAnswer ask_trials(const AskTrialsQuestion& question, const catalog::Catalog& catalog,
                           const study::OwnProgram& own);

// What became of a trial that was asked for.
struct TellTrialQuestion {
  StudyPlace place = {};
  std::int64_t trial = 0;
  std::vector<std::string> metric = {};  // "loss=0.25"
  bool failed = false;
  bool timed_out = false;  // a value of the objective is how far it had come
  std::optional<std::string> message = {};
  std::uint64_t seed = 0;
};
StudyAnswer tell_trial(const TellTrialQuestion& question, const catalog::Catalog& catalog);

}  // namespace sextant::ask
