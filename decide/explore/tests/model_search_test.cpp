// Strategies on Gaussian processes: better than chance on bowls, never a repeat, limits, failures, priors,
// earlier studies, running trials.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "feature_map.h"
#include "proposals.h"
#include "sextant/explore/search_strategy.h"
#include "spread_starts.h"

namespace sextant::explore {
namespace {

SearchFactor whole(const std::string& name, double low, double high) {
  return {.name = name, .kind = FactorKind::integer, .low = low, .high = high};
}
SearchFactor real(const std::string& name, double low, double high) {
  return {.name = name, .kind = FactorKind::real, .low = low, .high = high};
}

// Machines of four types, 1 to 12 of them.
SearchSpace cluster() {
  SearchFactor vm{.name = "vm", .levels = {"small", "fat", "large", "huge"}};
  vm.features = {{"cores", "memory"}, stats::Matrix::from_rows({{2, 4}, {2, 16}, {8, 16}, {8, 64}})};
  return {{std::move(vm), whole("count", 1, 12)}, {}};
}

// Runs that swap when memory in all is below 48 cost four times as much.
double cluster_cost(const SearchSpace& space, const Configuration& at) {
  const std::vector<double> x = space.features(at);
  const double cores = x[0] * x[2];
  const double memory = x[1] * x[2];
  const double time = 10 + 400 / cores + 0.5 * x[2];
  return time * x[2] * (0.05 * x[0] + 0.01 * x[1]) * (memory < 48 ? 4 : 1);
}

std::vector<Configuration> all_of(const SearchSpace& space) {
  return space.all(100).value();
}

Trial trial_of(const Configuration& configuration, std::size_t number,
               const std::map<std::string, double>& metrics) {
  return {
      .number = static_cast<std::int64_t>(number),
      .configuration = configuration,
      .outcome = {.state = metrics.empty() ? TrialState::failed : TrialState::completed, .metrics = metrics}};
}

using Metrics = std::function<std::map<std::string, double>(const Configuration&)>;

std::vector<Trial> searched(const std::string& strategy, const SearchProblem& problem, const Metrics& metrics,
                            std::size_t count, std::uint64_t seed = 1) {
  const auto search = make_search_strategy(strategy);
  std::vector<Trial> trials;
  while (trials.size() < count) {
    const std::optional<Proposal> next = search->propose({problem, trials, seed});
    if (!next) break;
    EXPECT_TRUE(problem.space.valid(next->configuration));
    for (const Trial& before : trials) EXPECT_FALSE(before.configuration == next->configuration);
    trials.push_back(trial_of(next->configuration, trials.size() + 1, metrics(next->configuration)));
  }
  return trials;
}

double best_of(const std::vector<Trial>& trials) {
  double best = std::numeric_limits<double>::infinity();
  for (const Trial& trial : trials) {
    if (trial.outcome.state == TrialState::completed) best = std::min(best, trial.outcome.metrics.at("cost"));
  }
  return best;
}

double mean_best(const std::string& strategy, const SearchProblem& problem, const Metrics& metrics,
                 std::size_t count) {
  double sum = 0;
  constexpr std::uint64_t kSeeds = 4;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    sum += best_of(searched(strategy, problem, metrics, count, seed));
  }
  return sum / kSeeds;
}

TEST(FeatureMap, TotalsAndScales) {
  const SearchSpace space = cluster();
  const std::vector<Configuration> all = *space.all(100);
  const FeatureMap map(space, all);
  // cores, memory, count, and cores and memory in all.
  EXPECT_EQ(map.rows(), 5);
  EXPECT_EQ(map.amounts().size(), 5U);
  const GpPoints points = map.points(all);
  EXPECT_NEAR(points.minCoeff(), 0, 1e-12);
  EXPECT_NEAR(points.maxCoeff(), 1, 1e-12);
  // 4 machines with 16 GiB of 4..768: log(64/4) / log(768/4).
  const Configuration fat{{1, 4}};
  const GpPoints at = map.points(std::span(&fat, 1));
  EXPECT_NEAR(at(4, 0), std::log(16.0) / std::log(192.0), 1e-12);
  EXPECT_EQ(FeatureMap(space, all, Totals::none).rows(), 3);
}

TEST(FeatureMap, DummiesOfOneFactorShareALength) {
  const SearchSpace space({{.name = "protocol", .levels = {"tcp", "rdma", "shm"}}, real("x", -1, 1)}, {});
  Rng rng = Rng(1).stream("map");
  const std::vector<Configuration> sample = candidates(space, 100, rng);
  const FeatureMap map(space, sample);
  EXPECT_EQ(map.rows(), 4);
  EXPECT_EQ(map.groups(), 2);
  EXPECT_TRUE(map.amounts().empty());  // x may be negative
  const std::vector<Configuration> two = {{{0, 0}}, {{1, 0}}};
  const GpPoints points = map.points(two);
  EXPECT_NEAR((points.col(0) - points.col(1)).norm(), 1, 1e-12);
}

TEST(SpreadStarts, SmallLargeMiddle) {
  const SearchSpace space = cluster();
  const std::vector<Configuration> all = *space.all(100);
  const FeatureMap map(space, all);
  Rng rng = Rng(1).stream("starts");
  const std::vector<Eigen::Index> starts = spread_starts(map, map.points(all), 5, rng);
  ASSERT_EQ(starts.size(), 5U);
  EXPECT_EQ(space.text(all[static_cast<std::size_t>(starts[0])]), "vm=small count=1");
  EXPECT_EQ(space.text(all[static_cast<std::size_t>(starts[1])]), "vm=huge count=12");
  EXPECT_EQ(std::set<Eigen::Index>(starts.begin(), starts.end()).size(), 5U);
}

class ModelSearch : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Both, ModelSearch, testing::Values("sextant", "cherrypick"));

TEST_P(ModelSearch, BeatsRandomOnACluster) {
  const SearchProblem problem{.space = cluster(), .objectives = {{.metric = "cost"}}};
  const Metrics metrics = [&](const Configuration& at) {
    return std::map<std::string, double>{{"cost", cluster_cost(problem.space, at)}};
  };
  EXPECT_LT(mean_best(GetParam(), problem, metrics, 10), mean_best("random", problem, metrics, 10));
}

TEST_P(ModelSearch, BeatsRandomOnABowlWithNegativeValues) {
  const SearchProblem problem{.space = SearchSpace({real("x", 0, 1), real("y", 0, 1)}, {}),
                              .objectives = {{.metric = "cost"}}};
  const Metrics metrics = [](const Configuration& at) {
    const double x = at.values[0] - 0.3;
    const double y = at.values[1] - 0.6;
    return std::map<std::string, double>{{"cost", x * x + y * y - 1}};
  };
  const double best = mean_best(GetParam(), problem, metrics, 12);
  EXPECT_LT(best, mean_best("random", problem, metrics, 12));
  EXPECT_LT(best, -0.995);
}

TEST_P(ModelSearch, ExhaustsASpaceOnceEach) {
  const SearchProblem problem{.space = SearchSpace({whole("n", 1, 7)}, {}),
                              .objectives = {{.metric = "cost"}}};
  const Metrics metrics = [](const Configuration& at) {
    return std::map<std::string, double>{{"cost", at.values[0]}};
  };
  EXPECT_EQ(searched(GetParam(), problem, metrics, 20).size(), 7U);
}

TEST_P(ModelSearch, NothingCompletes) {
  const SearchProblem problem{.space = cluster(), .objectives = {{.metric = "cost"}}};
  const Metrics none = [](const Configuration&) { return std::map<std::string, double>{}; };
  EXPECT_EQ(searched(GetParam(), problem, none, 12).size(), 12U);
}

TEST_P(ModelSearch, KeepsWithinALimit) {
  SearchProblem problem{.space = cluster(), .objectives = {{.metric = "cost"}}};
  problem.limits = {{.metric = "seconds", .limit = 30}};
  const Metrics metrics = [&](const Configuration& at) {
    const std::vector<double> x = problem.space.features(at);
    return std::map<std::string, double>{{"cost", cluster_cost(problem.space, at)},
                                         {"seconds", 10 + 400 / (x[0] * x[2])}};
  };
  const std::vector<Trial> trials = searched(GetParam(), problem, metrics, 15);
  const std::optional<std::size_t> best = best_trial(problem, trials);
  ASSERT_TRUE(best);
  // The least of all that meet it.
  double least = std::numeric_limits<double>::infinity();
  for (const Configuration& each : all_of(problem.space)) {
    if (metrics(each).at("seconds") <= 30) least = std::min(least, metrics(each).at("cost"));
  }
  EXPECT_LE(trials[*best].outcome.metrics.at("cost"), 1.3 * least);
}

TEST_P(ModelSearch, BatchesDoNotRepeat) {
  const SearchProblem problem{.space = cluster(), .objectives = {{.metric = "cost"}}};
  const Metrics metrics = [&](const Configuration& at) {
    return std::map<std::string, double>{{"cost", cluster_cost(problem.space, at)}};
  };
  const std::vector<Trial> trials = searched(GetParam(), problem, metrics, 5);
  const auto strategy = make_search_strategy(GetParam());
  const std::vector<Proposal> batch = propose_batch(*strategy, {problem, trials, 1}, 6);
  ASSERT_EQ(batch.size(), 6U);
  std::set<std::vector<double>> distinct;
  for (const Trial& trial : trials) distinct.insert(trial.configuration.values);
  for (const Proposal& each : batch) distinct.insert(each.configuration.values);
  EXPECT_EQ(distinct.size(), 11U);
}

TEST_P(ModelSearch, MaximisingIsMinimisingTheInverse) {
  SearchProblem least{.space = cluster(), .objectives = {{.metric = "cost"}}};
  SearchProblem most{.space = cluster(), .objectives = {{.metric = "rate", .maximise = true}}};
  const Metrics both = [&](const Configuration& at) {
    const double cost = cluster_cost(least.space, at);
    return std::map<std::string, double>{{"cost", cost}, {"rate", 1 / cost}};
  };
  const std::vector<Trial> a = searched(GetParam(), least, both, 10);
  const std::vector<Trial> b = searched(GetParam(), most, both, 10);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].configuration == b[i].configuration) << i;
}

TEST(SextantSearch, AGoodPriorSavesTrials) {
  SearchProblem problem{.space = cluster(), .objectives = {{.metric = "cost"}}};
  const Metrics metrics = [&](const Configuration& at) {
    return std::map<std::string, double>{{"cost", cluster_cost(problem.space, at)}};
  };
  const double without = mean_best("sextant", problem, metrics, 4);
  // Off by a factor, right in shape but for the swapping.
  problem.prior = [&](const Configuration& at) {
    const double cost = cluster_cost(problem.space, at);
    return PriorBelief{.value = 7 * cost * (1 + 0.1 * std::sin(10 * cost))};
  };
  const double with = mean_best("sextant", problem, metrics, 4);
  EXPECT_LE(with, without);
  // One that is upside down does no lasting harm.
  problem.prior = [&](const Configuration& at) {
    return PriorBelief{.value = 1 / cluster_cost(problem.space, at)};
  };
  double least = std::numeric_limits<double>::infinity();
  for (const Configuration& each : all_of(problem.space)) {
    least = std::min(least, cluster_cost(problem.space, each));
  }
  EXPECT_LE(mean_best("sextant", problem, metrics, 14), 1.1 * least);
}

TEST(SextantSearch, WhatThePriorCannotAnswerIsTriedLast) {
  SearchProblem problem{.space = cluster(), .objectives = {{.metric = "cost"}}};
  problem.prior = [&](const Configuration& at) -> std::optional<PriorBelief> {
    if (problem.space.features(at)[1] > 4) return std::nullopt;  // it knows the smallest machine alone
    return PriorBelief{.value = cluster_cost(problem.space, at)};
  };
  const Metrics metrics = [&](const Configuration& at) {
    return std::map<std::string, double>{{"cost", cluster_cost(problem.space, at)}};
  };
  const std::vector<Trial> trials = searched("sextant:starts=1", problem, metrics, 1);
  EXPECT_EQ(problem.space.features(trials[0].configuration)[1], 4);
}

// A study whose trials are all configurations of the space.
PastStudy complete_study(const SearchSpace& space, const Metrics& metrics) {
  PastStudy past{.name = "before", .trials = {}};
  for (const Configuration& each : all_of(space)) {
    past.trials.push_back(trial_of(each, past.trials.size() + 1, metrics(each)));
  }
  return past;
}

TEST(SextantSearch, EarlierStudiesAreBelievedWhereTheyHold) {
  SearchProblem problem{.space = cluster(), .objectives = {{.metric = "cost"}}};
  const Metrics metrics = [&](const Configuration& at) {
    return std::map<std::string, double>{{"cost", cluster_cost(problem.space, at)}};
  };
  const double without = mean_best("sextant", problem, metrics, 5);
  // Of a job three times as dear, among studies that are upside down.
  const PastStudy same = complete_study(problem.space, [&](const Configuration& at) {
    return std::map<std::string, double>{{"cost", 3 * cluster_cost(problem.space, at)}};
  });
  const PastStudy reversed = complete_study(problem.space, [&](const Configuration& at) {
    return std::map<std::string, double>{{"cost", 1 / cluster_cost(problem.space, at)}};
  });
  problem.past = {reversed, same, reversed};
  EXPECT_LT(mean_best("sextant", problem, metrics, 5), without);
  double least = std::numeric_limits<double>::infinity();
  for (const Configuration& each : all_of(problem.space)) {
    least = std::min(least, cluster_cost(problem.space, each));
  }
  problem.past = {reversed};
  EXPECT_LE(mean_best("sextant", problem, metrics, 14), 1.1 * least);
}

TEST(SextantSearch, AStudyInWhichNothingCompletedSaysNothing) {
  SearchProblem problem{.space = cluster(), .objectives = {{.metric = "cost"}}};
  const Metrics metrics = [&](const Configuration& at) {
    return std::map<std::string, double>{{"cost", cluster_cost(problem.space, at)}};
  };
  const std::vector<Trial> without = searched("sextant", problem, metrics, 6);
  problem.past = {
      complete_study(problem.space, [](const Configuration&) { return std::map<std::string, double>{}; })};
  const std::vector<Trial> with = searched("sextant", problem, metrics, 6);
  for (std::size_t i = 0; i < with.size(); ++i)
    EXPECT_TRUE(with[i].configuration == without[i].configuration);
}

TEST(SextantSearch, LeavesWhereRunsFail) {
  const SearchProblem problem{.space = cluster(), .objectives = {{.metric = "cost"}}};
  // The cheapest half of the machines runs out of memory.
  const Metrics metrics = [&](const Configuration& at) {
    if (problem.space.features(at)[1] <= 16) return std::map<std::string, double>{};
    return std::map<std::string, double>{{"cost", cluster_cost(problem.space, at)}};
  };
  const std::vector<Trial> trials = searched("sextant", problem, metrics, 12);
  const auto failures = std::ranges::count_if(
      trials, [](const Trial& trial) { return trial.outcome.state == TrialState::failed; });
  // Three of four machines fail: drawn ones would come to nine, as do failures that count as values alone.
  // Eight is what was seen, not derived: it was six while failures told more of what is far from them, and
  // searches then never went past one (MadeUpStudies).
  EXPECT_LE(failures, 8);
}

TEST(SextantSearch, StopsWhenNothingIsToBeGained) {
  const SearchProblem problem{.space = cluster(), .objectives = {{.metric = "cost"}}};
  const Metrics flat = [](const Configuration&) { return std::map<std::string, double>{{"cost", 5}}; };
  const std::vector<Trial> trials = searched("sextant", problem, flat, 30);
  const auto strategy = make_search_strategy("sextant");
  const std::optional<Proposal> next = strategy->propose({problem, trials, 1});
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->stop);
  EXPECT_LT(*next->improvement, 0.01);
  EXPECT_FALSE(strategy->propose({problem, std::span(trials).first(4), 1})->stop);  // too early
}

TEST(SextantSearch, ManyTrialsInALargeSpace) {
  const SearchProblem problem{
      .space = SearchSpace({real("x", 0, 1), real("y", 1e-4, 1), whole("n", 1, 1000), whole("m", 1, 64)}, {}),
      .objectives = {{.metric = "cost"}}};
  const Metrics metrics = [](const Configuration& at) {
    const double n = std::log(at.values[2] / 100);
    return std::map<std::string, double>{{"cost", 1 + std::abs(at.values[0] - 0.7) + n * n}};
  };
  const std::vector<Trial> trials = searched("sextant:draws=60:candidates=500", problem, metrics, 60);
  EXPECT_EQ(trials.size(), 60U);
  EXPECT_LT(best_of(trials), 1.05);
}

}  // namespace
}  // namespace sextant::explore
