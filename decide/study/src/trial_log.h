// What a study's trials come to so far: sums, the best, and the trials as strategies see them. Brought up to
// date with what changed since the last look, so that a look costs as much as is new, not as much as there
// is.
#pragma once

#include <set>

#include "sextant/explore/configuration_set.h"
#include "sextant/study/run_study.h"

namespace sextant::study {

class TrialLog {
 public:
  explicit TrialLog(const StudySpec& study) : study_(study) {}

  // With all trials of the store. One that is older than what is known changes nothing.
  void update(const std::vector<StoredTrial>& all);

  [[nodiscard]] std::size_t count() const { return placed_at_.size(); }
  [[nodiscard]] std::size_t finished() const { return count() - running_.size(); }
  [[nodiscard]] std::size_t failed() const { return failed_; }
  [[nodiscard]] bool any_completed() const { return any_completed_; }
  [[nodiscard]] std::size_t planned() const { return planned_; }  // runs of the design
  [[nodiscard]] double cost_usd() const { return cost_usd_; }
  [[nodiscard]] const std::optional<StoredTrial>& best() const { return best_; }
  // Those whose configuration is in the space, and their configurations.
  [[nodiscard]] const std::vector<explore::Trial>& placed() const { return placed_; }
  [[nodiscard]] const explore::ConfigurationSet& tried() const { return tried_; }

 private:
  void add(const StoredTrial& trial);
  void end(const StoredTrial& trial);

  const StudySpec& study_;
  std::vector<std::optional<std::size_t>> placed_at_;  // by number - 1: index into placed_
  std::vector<explore::Trial> placed_;
  explore::ConfigurationSet tried_;
  std::set<std::size_t> running_;  // number - 1
  std::size_t failed_ = 0;
  std::size_t planned_ = 0;
  bool any_completed_ = false;
  double cost_usd_ = 0;
  std::optional<StoredTrial> best_;
};

inline constexpr const char* kDesignReason = "design ";  // begins the reason of a run of the design

}  // namespace sextant::study
