// Which trials a model sees where there are too many for all.
#include "modelled_trials.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "space_fixture.h"

namespace sextant::explore {
namespace {

// Losses 1000, 999, …; every tenth has failed, the last three run.
std::vector<Trial> many_trials() {
  std::vector<Trial> trials;
  for (int i = 0; i < 1000; ++i) {
    Trial trial{.number = i + 1, .configuration = {{static_cast<double>(i)}}};
    if (i % 10 == 0) {
      trial.outcome.state = TrialState::failed;
    } else if (i < 997) {
      trial.outcome = {.state = TrialState::completed, .metrics = {{"cost", 1000 - i}}};
    }
    trials.push_back(std::move(trial));
  }
  return trials;
}

TEST(ModelledTrials, TheBestSomeOfTheRestAndWhatRuns) {
  const SearchProblem problem{.space = SearchSpace({test::integer_factor("n", 0, 2000)}, {}),
                              .objectives = {{.metric = "cost"}}};
  const std::vector<Trial> trials = many_trials();
  const std::vector<Trial> part = modelled_trials({problem, trials, 1}, 100);
  const auto count = [&](TrialState state) {
    return std::ranges::count_if(part, [&](const Trial& trial) { return trial.outcome.state == state; });
  };
  EXPECT_EQ(part.size(), 103U);
  EXPECT_EQ(count(TrialState::running), 3);
  EXPECT_GE(count(TrialState::failed), 3) << "where runs fail is not forgotten";
  EXPECT_TRUE(std::ranges::is_sorted(part, {}, &Trial::number));
  // The best fifty of the 897 that completed are the last ones; the worst is there too.
  const auto good = std::ranges::count_if(part, [](const Trial& trial) {
    return trial.outcome.state == TrialState::completed && trial.number > 941;
  });
  EXPECT_EQ(good, 50);
  EXPECT_LT(part.front().number, 20);
}

TEST(ModelledTrials, AProposalAfterManyTrials) {
  const SearchProblem problem{.space = SearchSpace({test::integer_factor("n", 0, 2000)}, {}),
                              .objectives = {{.metric = "cost"}}};
  const std::vector<Trial> trials = many_trials();
  const std::optional<Proposal> next = make_search_strategy("sextant")->propose({problem, trials, 1});
  ASSERT_TRUE(next);
  EXPECT_GT(next->configuration.values[0], 990) << "where costs are small, and untried";
}

}  // namespace
}  // namespace sextant::explore
