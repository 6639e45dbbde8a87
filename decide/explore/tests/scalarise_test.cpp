#include "scalarise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "hypervolume.h"
#include "search_loop.h"
#include "space_fixture.h"
#include "trial_loss.h"

namespace sextant::explore {
namespace {

using test::integer_factor;

Trial completed(std::map<std::string, double> metrics) {
  return {.configuration = {{0}}, .outcome = {.state = TrialState::completed, .metrics = std::move(metrics)}};
}

TEST(Scalarise, AugmentedChebyshev) {
  // max(0.25 * 0.8, 0.75 * 0.4) = 0.3; the sum is 0.5.
  EXPECT_DOUBLE_EQ(augmented_chebyshev(std::vector{0.25, 0.75}, std::vector{0.8, 0.4}), 0.3 + 0.05 * 0.5);
}

TEST(Scalarise, WeightsAreOnTheSimplexAndChangeFromTrialToTrial) {
  std::vector<double> means(3);
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    const std::vector<double> weights = objective_weights(3, 9, trial);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12);
    for (std::size_t j = 0; j < 3; ++j) means[j] += weights[j] / 3000;
  }
  // Each has mean 1/3 and standard deviation sqrt(1/18): 0.0043 for the mean of 3000.
  for (const double mean : means) EXPECT_NEAR(mean, 1.0 / 3, 0.02);
  EXPECT_NE(objective_weights(3, 9, 1), objective_weights(3, 9, 2));
}

TEST(Scalarise, OneObjectiveScalesBothAndKeepsFailures) {
  const SearchProblem problem{.space = SearchSpace({integer_factor("x", 0, 3)}, {}),
                              .objectives = {{"cost"}, {"speed", true}}};
  const std::vector<Trial> trials = {completed({{"cost", 10}, {"speed", 1}}),
                                     completed({{"cost", 30}, {"speed", 5}}),
                                     completed({{"cost", 20}}),
                                     {.configuration = {{1}}, .outcome = {.state = TrialState::failed}}};
  const std::vector<double> w = {0.3, 0.7};
  const OneObjective one = one_objective({problem, trials, 4}, w, ScaledOver::completed);
  ASSERT_EQ(one.problem.objectives.size(), 1U);
  const Objective& objective = one.problem.objectives.front();
  // The first is best in cost and worst in speed, the second the reverse.
  EXPECT_DOUBLE_EQ(loss(one.trials[0], objective).value(), 1.05 * w[1]);
  EXPECT_DOUBLE_EQ(loss(one.trials[1], objective).value(), 1.05 * w[0]);
  EXPECT_EQ(one.trials[2].outcome.state, TrialState::failed) << "it lacks an objective";
  EXPECT_EQ(one.trials[3].outcome.state, TrialState::failed);
}

TEST(Scalarise, OverTheFrontOthersAreBeyond) {
  const SearchProblem problem{.space = SearchSpace({integer_factor("x", 0, 3)}, {}),
                              .objectives = {{"a"}, {"b"}}};
  const std::vector<Trial> trials = {completed({{"a", 1}, {"b", 3}}), completed({{"a", 3}, {"b", 1}}),
                                     completed({{"a", 5}, {"b", 2}}),
                                     completed({{"a", 1e300}, {"b", 1e300}})};
  const OneObjective one = one_objective({problem, trials, 4}, std::vector{0.5, 0.5}, ScaledOver::front);
  const Objective& objective = one.problem.objectives.front();
  // The front is from 1 to 3 in both: the third is at (2, 0.5) of it, the last as far as anything is.
  EXPECT_DOUBLE_EQ(loss(one.trials[0], objective).value(), 1 + 0.5 + 0.05 * 0.5);
  EXPECT_DOUBLE_EQ(loss(one.trials[2], objective).value(), 1 + 1 + 0.05 * 1.25);
  EXPECT_DOUBLE_EQ(loss(one.trials[3], objective).value(), 1 + 50 + 0.05 * 100);
}

TEST(Scalarise, OneObjectiveAloneIsAsItIsMeasured) {
  const SearchProblem problem{.space = SearchSpace({integer_factor("x", 0, 3)}, {}),
                              .objectives = {{"cost"}, {"speed", true}},
                              .prior = [](const Configuration&) { return PriorBelief{}; }};
  const std::vector<Trial> trials = {
      completed({{"cost", 10}, {"speed", 1}}),
      {.configuration = {{1}}, .outcome = {.state = TrialState::timed_out, .bound = 30.0}}};
  const OneObjective cost = objective_alone({problem, trials, 4}, 0);
  EXPECT_TRUE(cost.problem.prior);
  EXPECT_EQ(cost.trials[1].outcome.bound, 30);
  const OneObjective speed = objective_alone({problem, trials, 4}, 1);
  EXPECT_EQ(loss(speed.trials[0], speed.problem.objectives.front()), -1);
  EXPECT_FALSE(speed.problem.prior) << "it is of the first objective, as are bounds";
  EXPECT_FALSE(speed.trials[1].outcome.bound);
}

TEST(Scalarise, TheLatticeIsInsideTheSimplex) {
  EXPECT_THAT(weight_lattice(2),
              testing::ElementsAre(testing::ElementsAre(0.75, 0.25), testing::ElementsAre(0.5, 0.5),
                                   testing::ElementsAre(0.25, 0.75)));
  for (std::size_t k = 2; k <= 6; ++k) {
    EXPECT_EQ(weight_lattice(k).size(), k * (k + 1) / 2);
    for (const std::vector<double>& weights : weight_lattice(k)) {
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12);
      EXPECT_GT(*std::ranges::min_element(weights), 0);
    }
  }
}

// With every direction searched, the front of two opposed objectives is covered better than by random trials.
TEST(Scalarise, FindsMoreOfAFrontThanRandomTrials) {
  SearchProblem problem{.space = SearchSpace({integer_factor("x", 0, 20), integer_factor("y", 0, 20)}, {}),
                        .objectives = {{"a"}, {"b"}}};
  const test::Evaluate run = [](Trial& trial) {
    const double x = trial.configuration.values[0] / 20;
    const double y = trial.configuration.values[1] / 20;
    trial.outcome.state = TrialState::completed;
    trial.outcome.metrics = {{"a", x * x + y}, {"b", (1 - x) * (1 - x) + y}};
  };
  const auto covered = [&](const char* id, std::uint64_t seed) {
    std::vector<std::vector<double>> points;
    for (const Trial& trial : test::search(*make_search_strategy(id), problem, run, 20, seed)) {
      points.push_back({trial.outcome.metrics.at("a"), trial.outcome.metrics.at("b")});
    }
    return hypervolume(points, std::vector{2.0, 2.0});
  };
  for (const char* id : {"tpe", "boosted-trees", "coordinate-descent", "sextant"}) {
    std::vector<double> gain;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      gain.push_back(covered(id, seed) - covered("random", seed));
    EXPECT_GT(test::median(gain), 0) << id;
  }
}

TEST(TrialLosses, Order) {
  const SearchProblem problem{.space = SearchSpace({integer_factor("x", 0, 3)}, {}),
                              .objectives = {{"cost"}},
                              .limits = {{"seconds", true, 10}}};
  std::vector<Trial> trials = {
      completed({{"cost", 5}, {"seconds", 10}}),
      completed({{"cost", 9}, {"seconds", 1}}),
      completed({{"cost", 1}, {"seconds", 15}}),
      completed({{"cost", 1}, {"seconds", 11}}),
      {.configuration = {{1}}, .outcome = {.state = TrialState::timed_out, .bound = 7.0}},
      {.configuration = {{1}}, .outcome = {.state = TrialState::failed}},
      {.configuration = {{2}}}};
  const std::vector<TrialLoss> losses = trial_losses({problem, trials, 0});
  EXPECT_DOUBLE_EQ(losses[2].beyond, 0.5);
  EXPECT_DOUBLE_EQ(losses[3].beyond, 0.1);
  EXPECT_EQ(losses[4].value, 7);
  for (const auto& [a, b] :
       std::vector<std::pair<int, int>>{{0, 1}, {1, 3}, {3, 2}, {2, 4}, {4, 5}, {5, 6}}) {
    EXPECT_TRUE(better(losses[a], losses[b])) << a << " " << b;
    EXPECT_FALSE(better(losses[b], losses[a])) << a << " " << b;
  }
  const auto scaled = scaled_losses(losses, false);
  ASSERT_TRUE(scaled.has_value());
  EXPECT_EQ(scaled->best, scaled->values[0]);
  EXPECT_GT(scaled->values[2], scaled->values[3]) << "farther beyond its limit";
  EXPECT_GT(scaled->values[3], scaled->values[1]) << "behind everything feasible";
  EXPECT_EQ(scaled->values[5], scaled->values[1]) << "as bad as the worst";
  EXPECT_FALSE(scaled_losses(std::span(losses).last(3), false).has_value());
}

// By hand: the union of [1,4]x[3,4], [2,4]x[2,4] and [3,4]x[1,4].
TEST(Hypervolume, Staircase) {
  const std::vector<std::vector<double>> points = {{1, 3}, {2, 2}, {3, 1}};
  EXPECT_DOUBLE_EQ(hypervolume(points, std::vector{4.0, 4.0}), 3 + 2 + 1);
  const std::vector<std::vector<double>> more = {{1, 3}, {2, 2}, {3, 1}, {3, 3}, {0, 5}, {2, 2}};
  EXPECT_DOUBLE_EQ(hypervolume(more, std::vector{4.0, 4.0}), 6) << "dominated, outside, twice";
}

// Two boxes that share a corner box: 2*2*1 + 1*1*2 - 1*1*1.
TEST(Hypervolume, ThreeObjectives) {
  const std::vector<std::vector<double>> points = {{0, 0, 1}, {1, 1, 0}};
  EXPECT_DOUBLE_EQ(hypervolume(points, std::vector{2.0, 2.0, 2.0}), 4 + 2 - 1);
  EXPECT_EQ(hypervolume({}, std::vector{1.0}), 0);
  EXPECT_THROW(hypervolume(points, std::vector{1.0}), InputError);
  EXPECT_THROW(hypervolume({}, {}), InputError);
}

// Against the share of random points that some point dominates.
TEST(Hypervolume, AgreesWithCounting) {
  Rng rng = Rng(3).stream("hypervolume");
  for (std::size_t dimension = 2; dimension <= 4; ++dimension) {
    std::vector<std::vector<double>> points(6, std::vector<double>(dimension));
    for (auto& point : points) {
      for (double& x : point) x = rng.uniform();
    }
    int inside = 0;
    constexpr int kDraws = 40000;
    for (int i = 0; i < kDraws; ++i) {
      std::vector<double> at(dimension);
      for (double& x : at) x = rng.uniform();
      inside += std::ranges::any_of(points, [&](const std::vector<double>& point) {
        return std::ranges::equal(point, at, std::less_equal<>{});
      });
    }
    // Standard deviation of a share at most 0.5 / 200.
    EXPECT_NEAR(hypervolume(points, std::vector<double>(dimension, 1)), 1.0 * inside / kDraws, 0.0125);
  }
}

}  // namespace
}  // namespace sextant::explore
