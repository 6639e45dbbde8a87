#include <gtest/gtest.h>

#include <map>
#include <set>

#include "proposals.h"
#include "sextant/explore/search_strategy.h"
#include "space_fixture.h"

namespace sextant::explore {
namespace {

using test::categorical_factor;
using test::integer_factor;
using test::real_factor;

SearchProblem problem_of(SearchSpace space) {
  return {.space = std::move(space), .objectives = {{.metric = "cost"}}};
}

SearchSpace constrained_space() {
  return {{integer_factor("a", 1, 6), integer_factor("b", 1, 6), categorical_factor("c", {"x", "y"})},
          {Expression::parse("a + b <= 7")}};
}

TEST(RandomStrategies, EveryConfigurationOnceAndThenNothing) {
  const SearchProblem problem = problem_of(constrained_space());
  for (const char* id : {"random", "quasi-random"}) {
    const auto strategy = make_search_strategy(id);
    const std::vector<Proposal> all =
        propose_batch(*strategy, {.problem = problem, .trials = {}, .seed = 3}, 100);
    EXPECT_EQ(all.size(), 21U * 2U) << id;  // pairs with a sum of up to 7: 6 + 5 + 4 + 3 + 2 + 1
    std::set<std::string> seen;
    for (const Proposal& proposal : all) {
      EXPECT_TRUE(problem.space.valid(proposal.configuration));
      seen.insert(problem.space.text(proposal.configuration));
    }
    EXPECT_EQ(seen.size(), all.size()) << id;
  }
}

TEST(RandomStrategies, SameSeedSameAnswersAndOtherSeedOthers) {
  const SearchProblem problem = problem_of({{real_factor("x", 0, 1), real_factor("y", 0, 1)}, {}});
  for (const char* id : {"random", "quasi-random"}) {
    const auto strategy = make_search_strategy(id);
    const auto texts = [&](std::uint64_t seed) {
      std::vector<std::string> list;
      for (const Proposal& p :
           propose_batch(*strategy, {.problem = problem, .trials = {}, .seed = seed}, 10)) {
        list.push_back(problem.space.text(p.configuration));
      }
      return list;
    };
    EXPECT_EQ(texts(1), texts(1)) << id;
    EXPECT_NE(texts(1), texts(2)) << id;
  }
}

// Each of three configurations is first a third of the time.
TEST(RandomStrategies, RandomIsUniform) {
  const SearchProblem problem = problem_of({{categorical_factor("c", {"x", "y", "z"})}, {}});
  const auto strategy = make_search_strategy("random");
  std::map<double, int> counts;
  constexpr int kSeeds = 3000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    ++counts[strategy->propose({.problem = problem, .trials = {}, .seed = seed})->configuration.values[0]];
  }
  for (const auto& [level, count] : counts)
    EXPECT_NEAR(count, kSeeds / 3, 5 * 26) << level;  // sd = sqrt(n 2/9)
}

// The first 2^m points lie one in each part of each axis.
TEST(RandomStrategies, QuasiRandomCoversEachAxis) {
  const SearchProblem problem = problem_of({{real_factor("x", 0, 1), real_factor("y", 0, 1)}, {}});
  const auto strategy = make_search_strategy("quasi-random");
  std::set<int> parts;
  for (const Proposal& p : propose_batch(*strategy, {.problem = problem, .trials = {}, .seed = 9}, 32)) {
    parts.insert(static_cast<int>(32 * p.configuration.values[1]));
  }
  EXPECT_EQ(parts.size(), 32U);
}

TEST(RandomStrategies, AListOfRowsIsSearchedToo) {
  std::vector<Configuration> rows;
  for (double i = 0; i < 30; ++i) rows.push_back({{i, 29 - i}});
  const SearchProblem problem = problem_of(SearchSpace::of_list(
      {integer_factor("a", 0, 29), integer_factor("b", 0, 29)}, rows, {}, stats::Matrix(30, 0)));
  for (const char* id : {"random", "quasi-random"}) {
    EXPECT_EQ(propose_batch(*make_search_strategy(id), {.problem = problem, .trials = {}}, 50).size(), 30U)
        << id;
  }
}

}  // namespace
}  // namespace sextant::explore
