// A study from its first trial to its last, or from where it stood: claims, evaluations, budget, stop.
#pragma once

#include "sextant/core/progress.h"
#include "sextant/study/evaluator.h"
#include "sextant/study/study_store.h"

namespace sextant {

struct StudyRunOptions {
  std::string worker;  // unique: host and process
  OwnCommand own_command = {};
  std::filesystem::path scratch;
  std::function<bool()> interrupted = {};
  std::function<void(const StoredTrial&)> finished = {};  // after each trial of this process
};

enum class StudyEnd { budget, strategy_stopped, space_exhausted, interrupted };

struct StudyOutcome {
  StudyEnd end = StudyEnd::budget;
  std::vector<StoredTrial> trials;       // of all workers
  std::optional<std::size_t> best = {};  // index into trials
  std::vector<std::size_t> front = {};   // several objectives: Pareto
  double cost_usd = 0;
  double seconds = 0;
  std::optional<double> chance_of_better = {};  // by the strategy, of one more trial
};

StudyOutcome run_study(const StudySpec& study, StudyStore& store, const StudyRunOptions& options,
                       Progress& progress);
// What stands in the store, without running anything.
StudyOutcome study_outcome(const StudySpec& study, StudyStore& store);

}  // namespace sextant
