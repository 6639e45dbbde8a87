// The contract of every search strategy, run over the registry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "proposals.h"
#include "search_loop.h"
#include "sextant/explore/search_strategy.h"
#include "space_fixture.h"

namespace sextant::explore {
namespace {

using test::categorical_factor;
using test::Evaluate;
using test::integer_factor;
using test::metric;
using test::ordinal_factor;
using test::real_factor;
using test::search;

class SearchStrategyContract : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<SearchStrategy> strategy_ = make_search_strategy(GetParam());
};

SearchProblem minimise(SearchSpace space) {
  return {.space = std::move(space), .objectives = {{.metric = "cost"}}};
}

// 21 x 21 points, the least at (13, 5) on the level b.
SearchSpace bowl_space() {
  return {{integer_factor("x", 0, 20), integer_factor("y", 0, 20), categorical_factor("kind", {"a", "b"})},
          {}};
}
double bowl(const Configuration& c) {
  const double x = c.values[0] - 13;
  const double y = c.values[1] - 5;
  return 1 + x * x + y * y + (c.values[2] == 1 ? 0 : 20);
}

// A factor that exists for one strategy only, and a constraint over two others.
SearchSpace conditional_space() {
  SearchFactor servers = integer_factor("servers", 1, 4);
  servers.condition = Expression::parse("strategy == 'ps'");
  return {{categorical_factor("strategy", {"ring", "ps"}), integer_factor("workers", 1, 6), servers,
           ordinal_factor("batch", {"16", "32", "64"})},
          {Expression::parse("workers * batch <= 192")}};
}
// 2 x 6 x 3 pairs of workers and batch less those above 192 (64 x 4, 5, 6), ring once and ps four times.
constexpr std::size_t kConditional = (6 + 6 + 3) * (1 + 4);
double conditional_cost(const Configuration& c) {
  return 10 + c.values[1] - c.values[3] + (std::isnan(c.values[2]) ? 3 : std::abs(c.values[2] - 2));
}

std::set<std::string> texts(const SearchSpace& space, const std::vector<Trial>& trials) {
  std::set<std::string> seen;
  for (const Trial& trial : trials) seen.insert(space.text(trial.configuration));
  return seen;
}

double least(const std::vector<Trial>& trials) {
  double best = INFINITY;
  for (const Trial& trial : trials) {
    if (const auto found = trial.outcome.metrics.find("cost"); found != trial.outcome.metrics.end()) {
      best = std::min(best, found->second);
    }
  }
  return best;
}

TEST_P(SearchStrategyContract, StatesItself) {
  const SearchStrategyInfo& info = search_strategies().get(GetParam());
  EXPECT_FALSE(info.summary.empty());
  EXPECT_FALSE(info.reference.empty());
  for (const ParameterInfo& parameter : info.parameters) {
    EXPECT_FALSE(parameter.summary.empty()) << parameter.name;
    EXPECT_LE(parameter.low, parameter.fallback) << parameter.name;
    EXPECT_GE(parameter.high, parameter.fallback) << parameter.name;
  }
}

TEST_P(SearchStrategyContract, ExhaustsASpaceWithConditionsAndConstraintsAndThenGivesNothing) {
  const SearchProblem problem = minimise(conditional_space());
  const auto trials = search(*strategy_, problem, metric("cost", conditional_cost), 200);
  EXPECT_EQ(trials.size(), kConditional);
  EXPECT_EQ(texts(problem.space, trials).size(), trials.size()) << "none twice";
  for (const Trial& trial : trials) EXPECT_TRUE(problem.space.valid(trial.configuration));
}

TEST_P(SearchStrategyContract, StaysWithinAContinuousSpace) {
  SearchFactor rate = real_factor("rate", 1e-5, 1);
  rate.log = true;
  const SearchProblem problem = minimise({{rate, real_factor("x", -1, 1), integer_factor("n", 3, 300)}, {}});
  const auto cost = [](const Configuration& c) {
    return 1 + std::abs(std::log10(c.values[0]) + 2) + c.values[1] * c.values[1] + c.values[2] / 300;
  };
  const auto trials = search(*strategy_, problem, metric("cost", cost), 16);
  ASSERT_EQ(trials.size(), 16U);
  EXPECT_EQ(texts(problem.space, trials).size(), trials.size());
  for (const Trial& trial : trials) {
    EXPECT_TRUE(problem.space.valid(trial.configuration)) << problem.space.text(trial.configuration);
    EXPECT_EQ(trial.configuration.values[2], std::round(trial.configuration.values[2]));
  }
}

TEST_P(SearchStrategyContract, OneConfiguration) {
  const SearchProblem problem = minimise({{categorical_factor("only", {"this"})}, {}});
  EXPECT_EQ(search(*strategy_, problem, metric("cost", [](const Configuration&) { return 1.0; }), 5).size(),
            1U);
}

TEST_P(SearchStrategyContract, SameSeedSameAnswers) {
  const SearchProblem problem = minimise(bowl_space());
  const auto run = [&](std::uint64_t seed) {
    std::vector<std::string> list;
    for (const Trial& trial : search(*strategy_, problem, metric("cost", bowl), 12, seed)) {
      list.push_back(problem.space.text(trial.configuration));
    }
    return list;
  };
  EXPECT_EQ(run(5), run(5));
}

TEST_P(SearchStrategyContract, ABatchDoesNotRepeatWhatRunsOrWasTried) {
  const SearchProblem problem = minimise(bowl_space());
  auto trials = search(*strategy_, problem, metric("cost", bowl), 8);
  const auto batch = propose_batch(*strategy_, {problem, trials, 1}, 6);
  ASSERT_EQ(batch.size(), 6U);
  for (const Proposal& proposal : batch) {
    EXPECT_TRUE(problem.space.valid(proposal.configuration));
    trials.push_back({.number = 0, .configuration = proposal.configuration});
  }
  EXPECT_EQ(texts(problem.space, trials).size(), 14U);
}

TEST_P(SearchStrategyContract, ABatchFromNothing) {
  const SearchProblem problem = minimise(bowl_space());
  const auto batch = propose_batch(*strategy_, {problem, {}, 1}, 12);
  std::set<std::string> seen;
  for (const Proposal& proposal : batch) seen.insert(problem.space.text(proposal.configuration));
  EXPECT_EQ(seen.size(), 12U);
}

TEST_P(SearchStrategyContract, GoesOnWhenEveryTrialFails) {
  const SearchProblem problem = minimise(conditional_space());
  const Evaluate fails = [](Trial& trial) {
    trial.outcome.state = trial.number % 2 == 0 ? TrialState::failed : TrialState::timed_out;
    if (trial.number % 4 == 1) trial.outcome.bound = 100;
  };
  EXPECT_EQ(search(*strategy_, problem, fails, 200).size(), kConditional);
}

TEST_P(SearchStrategyContract, NumbersOfAProposalAreFinite) {
  const SearchProblem problem = minimise(bowl_space());
  const auto trials = search(*strategy_, problem, metric("cost", bowl), 10);
  for (std::size_t n = 0; n <= trials.size(); ++n) {
    const auto next = strategy_->propose({problem, std::span(trials).first(n), 1});
    ASSERT_TRUE(next.has_value());
    EXPECT_FALSE(next->reason.empty());
    for (const auto& number : {next->expected, next->improvement, next->chance_of_better}) {
      EXPECT_TRUE(std::isfinite(number.value_or(0)));
    }
    EXPECT_GE(next->improvement.value_or(0), 0);
    EXPECT_GE(next->chance_of_better.value_or(0), 0);
    EXPECT_LE(next->chance_of_better.value_or(0), 1);
  }
}

TEST_P(SearchStrategyContract, HugeTinyAndEqualValues) {
  const SearchProblem problem = minimise(bowl_space());
  for (const double unit : {1e300, 1e-300, 0.0, -1e300}) {
    const auto cost = [&](const Configuration& c) { return unit * bowl(c) / 1000; };
    EXPECT_EQ(search(*strategy_, problem, metric("cost", cost), 10).size(), 10U) << unit;
  }
  const auto both = [](const Configuration& c) { return c.values[0] < 10 ? -1e300 : 1e300; };
  EXPECT_EQ(search(*strategy_, problem, metric("cost", both), 10).size(), 10U);
}

TEST_P(SearchStrategyContract, MaximisingIsMinimisingTheNegative) {
  const SearchProblem down = minimise(bowl_space());
  SearchProblem up = minimise(bowl_space());
  up.objectives.front().maximise = true;
  // Of both signs: where all values have one, a strategy may look at ratios.
  const auto cost = [](const Configuration& c) { return bowl(c) - 60; };
  const auto negative = [](const Configuration& c) { return 60 - bowl(c); };
  const auto a = search(*strategy_, down, metric("cost", cost), 14);
  const auto b = search(*strategy_, up, metric("cost", negative), 14);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].configuration, b[i].configuration) << i;
}

TEST_P(SearchStrategyContract, TwelveFactorsAndABillionPoints) {
  std::vector<SearchFactor> factors;
  for (int i = 0; i < 12; ++i) factors.push_back(integer_factor("f" + std::to_string(i), 0, 5));  // 6^12
  const SearchProblem problem = minimise({std::move(factors), {Expression::parse("f0 + f1 <= 8")}});
  const auto sum = [](const Configuration& c) {
    double total = 1;
    for (const double value : c.values) total += value;
    return total;
  };
  const auto trials = search(*strategy_, problem, metric("cost", sum), 14);
  EXPECT_EQ(texts(problem.space, trials).size(), 14U);
  for (const Trial& trial : trials) EXPECT_TRUE(problem.space.valid(trial.configuration));
}

// The least of the bowl breaks the limit; after a while most trials should keep it.
TEST_P(SearchStrategyContract, PrefersWhatKeepsTheLimits) {
  if (GetParam() == "random" || GetParam() == "quasi-random") GTEST_SKIP() << "looks at no result";
  SearchProblem problem = minimise(bowl_space());
  problem.limits = {{.metric = "seconds", .at_most = true, .limit = 6}};
  const Evaluate run = [](Trial& trial) {
    trial.outcome.state = TrialState::completed;
    trial.outcome.metrics = {{"cost", bowl(trial.configuration)}, {"seconds", trial.configuration.values[0]}};
  };
  std::vector<double> shares;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto trials = search(*strategy_, problem, run, 20, seed);
    const auto late = std::span(trials).last(8);
    shares.push_back(static_cast<double>(std::ranges::count_if(
                         late, [](const Trial& trial) { return trial.outcome.metrics.at("seconds") <= 6; })) /
                     8);
  }
  EXPECT_GT(test::median(shares), 7.0 / 21) << "a third of the space keeps it";
}

TEST_P(SearchStrategyContract, BeatsRandomOnABowl) {
  if (GetParam() == "random" || GetParam() == "quasi-random") GTEST_SKIP() << "looks at no result";
  const SearchProblem problem = minimise(bowl_space());
  const auto random = make_search_strategy("random");
  std::vector<double> ours;
  std::vector<double> randoms;
  for (std::uint64_t seed = 1; seed <= 7; ++seed) {
    ours.push_back(least(search(*strategy_, problem, metric("cost", bowl), 20, seed)));
    randoms.push_back(least(search(*random, problem, metric("cost", bowl), 20, seed)));
  }
  EXPECT_LT(test::median(ours), test::median(randoms));
}

TEST_P(SearchStrategyContract, SeveralObjectives) {
  SearchProblem problem = minimise(bowl_space());
  problem.objectives.push_back({.metric = "speed", .maximise = true});
  const Evaluate run = [](Trial& trial) {
    trial.outcome.state = trial.number == 3 ? TrialState::failed : TrialState::completed;
    if (trial.outcome.state == TrialState::failed) return;
    trial.outcome.metrics = {{"cost", bowl(trial.configuration)}, {"speed", trial.configuration.values[0]}};
  };
  const auto trials = search(*strategy_, problem, run, 20);
  EXPECT_EQ(texts(problem.space, trials).size(), 20U);
  EXPECT_FALSE(pareto_trials(problem, trials).empty());
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const SearchStrategyInfo& info : search_strategies().all()) all.push_back(info.id);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, SearchStrategyContract, testing::ValuesIn(ids()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(SearchStrategies, AreKnown) {
  EXPECT_THAT(ids(), testing::IsSupersetOf({"random", "quasi-random", "tpe", "boosted-trees",
                                            "coordinate-descent", "sextant"}));
  EXPECT_THROW(make_search_strategy("tpe:good=2"), InputError);
}

}  // namespace
}  // namespace sextant::explore
