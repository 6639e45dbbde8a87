// Chances to complete and to meet limits, from trials that did and did not.
#include "feasibility.h"

#include <gtest/gtest.h>

#include <numeric>

#include "improvement_proposal.h"

namespace sextant::explore {
namespace {

// 1 to 16 workers; candidates are all of them.
class FeasibilityTest : public testing::Test {
 protected:
  void tried(double workers, TrialState state, std::optional<double> bound = {}) {
    trials_.push_back({.number = std::ssize(trials_) + 1,
                       .configuration = {{workers}},
                       .outcome = {.state = state, .metrics = {{"seconds", 100 / workers}}, .bound = bound}});
  }
  // Of 1 to 16 workers.
  Eigen::VectorXd chances(Failures failures = Failures::are_values) const {
    const std::vector<Configuration> all = *problem_.space.all(100);
    const FeatureMap features(problem_.space, all);
    const GpPoints candidates = features.points(all);
    const SearchView view{problem_, trials_, 1};
    const FeasibilityInput input{view, features, candidates};
    Feasibility feasibility(input);
    if (failures == Failures::have_a_chance) feasibility.ask_for_completion(input);
    std::vector<Eigen::Index> places(all.size());
    std::iota(places.begin(), places.end(), Eigen::Index{0});
    return feasibility.chances(places);
  }

  SearchProblem problem_{
      .space = SearchSpace({{.name = "workers", .kind = FactorKind::integer, .low = 1, .high = 16}}, {}),
      .objectives = {{.metric = "cost"}}};
  std::vector<Trial> trials_;
};

TEST_F(FeasibilityTest, NothingIsSaidBeforeAFailure) {
  EXPECT_EQ(chances(Failures::have_a_chance), Eigen::VectorXd::Ones(16));
  tried(4, TrialState::completed);
  tried(8, TrialState::running);
  tried(16, TrialState::timed_out, 50);  // its bound is a value
  EXPECT_EQ(chances(Failures::have_a_chance), Eigen::VectorXd::Ones(16));
}

TEST_F(FeasibilityTest, FailuresTellOfTheirNeighbours) {
  tried(2, TrialState::completed);
  tried(4, TrialState::completed);
  tried(12, TrialState::failed);
  tried(16, TrialState::timed_out);
  const Eigen::VectorXd chance = chances(Failures::have_a_chance);
  ASSERT_EQ(chance.size(), 16);
  EXPECT_GT(chance[2], 0.7);   // 3 workers
  EXPECT_LT(chance[13], 0.3);  // 14
  EXPECT_GT(chance[5], chance[9]);
  EXPECT_GT(chance.minCoeff(), 0);
  EXPECT_LT(chance.maxCoeff(), 1);
}

TEST_F(FeasibilityTest, LimitsOfMetrics) {
  problem_.limits = {{.metric = "seconds", .limit = 20}};
  EXPECT_EQ(chances()[0], 0.5);  // nothing was measured
  for (const double workers : {1, 4, 8, 16}) tried(workers, TrialState::completed);
  const Eigen::VectorXd chance = chances();
  EXPECT_LT(chance[1], 0.2);  // 2 workers take 50 s
  EXPECT_GT(chance[11], 0.8);
  problem_.limits.push_back({.metric = "seconds", .at_most = false, .limit = 0});
  EXPECT_EQ(chances(), chance);  // every time is above 0
}

}  // namespace
}  // namespace sextant::explore
