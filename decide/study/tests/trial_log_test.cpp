// What is kept up to date with each trial is what all trials come to.
#include "trial_log.h"

#include <gtest/gtest.h>

#include "sextant/core/rng.h"
#include "small_study.h"

namespace sextant::study {
namespace {

StoredTrial proposed(std::int64_t number, Rng& rng) {
  StoredTrial trial;
  trial.number = number;
  // Above 1000 is outside of the space: a trial from before the study was changed.
  trial.levels = {std::to_string(1 + rng.below(1100))};
  trial.reason = rng.below(4) == 0 ? "design 1 of 9" : "drawn at random";
  return trial;
}

void finish(StoredTrial& trial, Rng& rng) {
  trial.outcome.state = rng.below(4) == 0 ? explore::TrialState::failed : explore::TrialState::completed;
  if (trial.outcome.state == explore::TrialState::completed) {
    trial.outcome.metrics["loss"] = static_cast<double>(rng.below(20));  // ties are frequent
  }
  trial.cost = static_cast<double>(rng.below(8));
}

void expect_same(const TrialLog& log, const StudySpec& study, const std::vector<StoredTrial>& all) {
  const std::vector<explore::Trial> placed = search_trials(study.problem.space, all);
  const auto best = best_trial(study.problem, placed);
  ASSERT_EQ(log.placed().size(), placed.size());
  ASSERT_EQ(log.best().has_value(), best.has_value());
  if (best) {
    EXPECT_EQ(log.best()->number, placed[*best].number);
  }
  double cost = 0;
  std::size_t finished = 0;
  std::size_t failed = 0;
  std::size_t planned = 0;
  for (const StoredTrial& trial : all) {
    cost += trial.cost;
    finished += trial.outcome.state != explore::TrialState::running ? 1 : 0;
    failed += trial.outcome.state == explore::TrialState::failed ? 1 : 0;
    planned += trial.reason.starts_with(kDesignReason) ? 1 : 0;
  }
  EXPECT_EQ(log.count(), all.size());
  EXPECT_EQ(log.finished(), finished);
  EXPECT_EQ(log.failed(), failed);
  EXPECT_EQ(log.planned(), planned);
  EXPECT_EQ(log.cost_usd(), cost);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    EXPECT_EQ(log.placed()[i].outcome.state, placed[i].outcome.state);
    EXPECT_EQ(log.placed()[i].outcome.metrics, placed[i].outcome.metrics);
    EXPECT_TRUE(log.tried().contains(placed[i].configuration));
  }
}

TEST(TrialLog, IsWhatAllTrialsComeTo) {
  const TemporaryFolder folder;
  const StudySpec study = test::study_of(folder, "", "[budget]\ntrials = 5\n");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Rng rng = Rng(seed).stream("log");
    TrialLog log(study);
    std::vector<StoredTrial> all;
    std::vector<StoredTrial> older;
    for (int step = 0; step < 200; ++step) {
      const std::uint64_t at = all.empty() ? 0 : rng.below(all.size());
      if (!all.empty() && all[at].outcome.state == explore::TrialState::running) {
        finish(all[at], rng);
      } else {
        all.push_back(proposed(std::ssize(all) + 1, rng));
      }
      if (rng.below(3) == 0) continue;  // several changes at once
      log.update(all);
      expect_same(log, study, all);
      log.update(older);  // another worker's look, from before
      expect_same(log, study, all);
      older = all;
    }
  }
}

}  // namespace
}  // namespace sextant::study
