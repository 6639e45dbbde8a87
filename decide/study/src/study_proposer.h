// The next trial of a study, from all there are: the budget first, then the design, then the strategy.
#pragma once

#include <mutex>

#include "sextant/explore/design.h"
#include "sextant/explore/search_strategy.h"
#include "sextant/measure/clock.h"
#include "sextant/study/run_study.h"
#include "trial_log.h"

namespace sextant::study {

class StudyProposer {
 public:
  // `problem` is the study's with what it knows beforehand.
  StudyProposer(const StudySpec& study, explore::SearchProblem problem, double seconds_before);

  // To be given to StudyStore::claim, by any thread. Nothing: see end().
  std::optional<StoredTrial> next(const std::vector<StoredTrial>& all);
  [[nodiscard]] StudyEnd end() const;
  [[nodiscard]] std::optional<Outlook> outlook() const;
  // With all trials of the store.
  StudyCourse course(const std::vector<StoredTrial>& all);

 private:
  struct Counts {
    std::size_t trials = 0;
    std::size_t finished = 0;
    bool operator==(const Counts&) const = default;
  };
  [[nodiscard]] std::optional<StudyEnd> spent() const;
  std::optional<StoredTrial> from_design();
  std::optional<StoredTrial> from_strategy();
  [[nodiscard]] StoredTrial stored(const explore::Configuration& configuration, std::string reason) const;

  const StudySpec& study_;
  explore::SearchProblem problem_;
  std::unique_ptr<explore::SearchStrategy> strategy_;
  explore::PlannedDesign plan_;
  double seconds_before_;
  std::int64_t began_ = measure::monotonic_ns();

  mutable std::mutex mutex_;
  TrialLog log_;
  std::optional<Counts> ended_at_;  // nothing more was to be proposed then
  StudyEnd end_ = StudyEnd::budget;
  std::optional<Outlook> outlook_;
};

// Seconds in which some trial ran, by the store's clock.
double running_seconds(const std::vector<StoredTrial>& trials);

}  // namespace sextant::study
