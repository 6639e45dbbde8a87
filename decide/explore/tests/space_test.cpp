#include "sextant/explore/space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "error_of.h"

namespace sextant::explore {
namespace {

using sextant::test::error_of;

SearchFactor integer(const std::string& name, double low, double high) {
  return {.name = name, .kind = FactorKind::integer, .low = low, .high = high};
}
SearchFactor categorical(const std::string& name, std::vector<std::string> levels) {
  return {.name = name, .kind = FactorKind::categorical, .levels = std::move(levels)};
}
SearchFactor ordinal(const std::string& name, std::vector<std::string> levels) {
  return {.name = name, .kind = FactorKind::ordinal, .levels = std::move(levels)};
}

// Servers exist only for parameter servers, staleness only where there are two or more of them.
SearchSpace tree() {
  SearchFactor servers = integer("servers", 1, 3);
  servers.condition = Expression::parse("strategy == 'ps'");
  SearchFactor staleness = integer("staleness", 0, 1);
  staleness.condition = Expression::parse("servers >= 2");
  return {{staleness, servers, categorical("strategy", {"ring", "ps"})}, {}};
}

TEST(SearchSpace, ConditionsFormATree) {
  const SearchSpace space = tree();
  // ring; ps with 1 server; ps with 2 or 3 servers and two values of staleness.
  const auto all = space.all(100);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), 1U + 1U + 2U * 2U);
  std::vector<std::string> texts;
  for (const Configuration& each : *all) {
    EXPECT_TRUE(space.valid(each));
    texts.push_back(space.text(each));
  }
  EXPECT_EQ(texts.front(), "strategy=ring");
  EXPECT_EQ(texts[1], "servers=1 strategy=ps");
  EXPECT_EQ(texts.back(), "staleness=1 servers=3 strategy=ps");
  EXPECT_FALSE(space.valid({{0, kAbsent, 0}}));  // staleness without servers
  EXPECT_FALSE(space.valid({{kAbsent, 2, 1}}));  // two servers without staleness
  EXPECT_EQ(space.all(5), std::nullopt);
}

TEST(SearchSpace, CircularConditionsAreRefused) {
  SearchFactor a = integer("a", 0, 1);
  SearchFactor b = integer("b", 0, 1);
  a.condition = Expression::parse("b == 1");
  b.condition = Expression::parse("a == 1");
  EXPECT_NE(error_of([&] { SearchSpace({a, b}, {}); }).find("depends on itself"), std::string::npos);
}

TEST(SearchSpace, WrongFactorsAreRefused) {
  const auto fault = [](const SearchFactor& factor) { return error_of([&] { SearchSpace({factor}, {}); }); };
  EXPECT_NE(error_of([] { SearchSpace({}, {}); }).find("no factor"), std::string::npos);
  EXPECT_NE(fault(integer("x", 3, 1)).find("empty range"), std::string::npos);
  EXPECT_NE(fault(integer("x", 0.5, 1)).find("whole numbers"), std::string::npos);
  EXPECT_NE(fault(integer("x", NAN, 1)).find("not finite"), std::string::npos);
  EXPECT_NE(fault(integer("x", 0, 1e300)).find("2^53"), std::string::npos);
  EXPECT_NE(fault(categorical("x", {})).find("no levels"), std::string::npos);
  EXPECT_NE(fault(categorical("x", {"a", "a"})).find("twice"), std::string::npos);
  SearchFactor log = integer("x", 0, 8);
  log.log = true;
  EXPECT_NE(fault(log).find("start above 0"), std::string::npos);
  SearchFactor step = integer("x", 0, 8);
  step.step = 0;
  EXPECT_NE(fault(step).find("step"), std::string::npos);
  EXPECT_NE(error_of([] {
              SearchSpace({integer("x", 0, 1), integer("x", 0, 1)}, {});
            }).find("two factors"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              SearchSpace({integer("workers", 0, 1)}, {Expression::parse("worker > 1")});
            }).find("did you mean 'workers'?"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              SearchSpace({categorical("s", {"a", "b"})}, {Expression::parse("s > 1")});
            }).find("a number is needed"),
            std::string::npos);
}

TEST(SearchSpace, ContradictoryConstraintsAreRefused) {
  const std::string listed = error_of([] {
    SearchSpace({integer("x", 1, 8)},
                {Expression::parse("x > 5", {"s.toml", 2, 1}), Expression::parse("x < 3")});
  });
  EXPECT_EQ(listed,
            "s.toml:2:1: error: no configuration meets the constraints 'x > 5', 'x < 3'\n"
            "  hint: they contradict each other or the ranges of the factors");
  const SearchFactor real{.name = "y", .kind = FactorKind::real, .low = 0, .high = 1};
  EXPECT_NE(error_of([&] { SearchSpace({real}, {Expression::parse("y > 2")}); }).find("none of 100000 drawn"),
            std::string::npos);
}

TEST(SearchSpace, RareValidConfigurationsAreFoundAndDrawnUniformly) {
  // 3 of a million: a == b == c of 100 each, and a < 3.
  const SearchSpace space({integer("a", 0, 99), integer("b", 0, 99), integer("c", 0, 99)},
                          {Expression::parse("a == b and b == c"), Expression::parse("a < 3")});
  Rng rng = Rng(1).stream("draws");
  std::map<double, int> counts;
  for (int i = 0; i < 3000; ++i) ++counts[space.draw(rng).values[0]];
  ASSERT_EQ(counts.size(), 3U);
  for (const auto& [value, count] : counts) EXPECT_NEAR(count, 1000, 5 * std::sqrt(1000.0)) << value;
}

TEST(SearchSpace, ConstraintsUseFeaturesOfLevels) {
  SearchFactor vm = categorical("vm", {"small", "large"});
  vm.features = {{"vcpus", "memory"}, stats::Matrix::from_rows({{2, 4}, {16, 64}})};
  const SearchSpace space({vm, integer("count", 1, 4)}, {Expression::parse("vm.vcpus * count <= 16")});
  EXPECT_EQ(space.all(100)->size(), 4U + 1U);
  EXPECT_EQ(space.columns()[0].name, "vm.vcpus");
  EXPECT_EQ(space.features({{1, 1}}), (std::vector<double>{16, 64, 1}));
  EXPECT_EQ(std::get<double>(*space.named_value({{1, 1}}, "vm.memory")), 64);
  EXPECT_EQ(std::get<std::string>(*space.named_value({{1, 1}}, "vm")), "large");
  EXPECT_EQ(space.named_value({{1, 1}}, "vm.price"), std::nullopt);
}

TEST(SearchSpace, FeaturesWithoutAnyAreDummiesOrNumbers) {
  const SearchSpace space({categorical("s", {"a", "b"}), ordinal("batch", {"8", "32"}),
                           ordinal("size", {"s", "m", "l"}), integer("n", 1, 4)},
                          {});
  EXPECT_EQ(space.features({{1, 1, 2, 3}}), (std::vector<double>{0, 1, 32, 2, 3}));
  std::vector<std::string> names;
  for (const FeatureColumn& column : space.columns()) names.push_back(column.name);
  EXPECT_EQ(names, (std::vector<std::string>{"s=a", "s=b", "batch", "size", "n"}));
  EXPECT_FALSE(space.columns()[0].numeric);
  EXPECT_TRUE(space.columns()[2].positive);
  EXPECT_FALSE(space.columns()[3].positive);
}

TEST(SearchSpace, AbsentFactorsHaveNoFeatures) {
  EXPECT_EQ(tree().features({{kAbsent, kAbsent, 0}}), (std::vector<double>{0, 0, 1, 0}));
  const SearchSpace space = tree();
  for (const FeatureColumn& column : space.columns()) EXPECT_FALSE(column.positive);
}

// Laws over every kind of axis: unit() is a right inverse of at(), and parts of levels are equal.
TEST(SearchSpace, UnitCubeAndBack) {
  SearchFactor log_int = integer("log_int", 1, 1000);
  log_int.log = true;
  SearchFactor stepped = integer("stepped", 4, 64);
  stepped.step = 4;
  SearchFactor stepped_log = integer("stepped_log", 8, 1024);
  stepped_log.step = 8;
  stepped_log.log = true;
  const SearchFactor real{.name = "real", .kind = FactorKind::real, .low = -1, .high = 3};
  const SearchFactor log_real{
      .name = "log_real", .kind = FactorKind::real, .low = 1e-5, .high = 1, .log = true};
  const SearchSpace space({log_int, stepped, stepped_log, real, log_real, ordinal("o", {"a", "b", "c"}),
                           categorical("c", {"x", "y"}), integer("i", -3, 3)},
                          {});
  Rng rng = Rng(3).stream("cube");
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> point(space.factors().size());
    for (double& u : point) u = rng.uniform();
    const Configuration here = space.at(point);
    ASSERT_TRUE(space.valid(here)) << space.text(here);
    const Configuration back = space.at(space.unit(here));
    for (const std::size_t f : {0U, 1U, 2U, 5U, 6U, 7U}) EXPECT_EQ(back.values[f], here.values[f]) << f;
    EXPECT_NEAR(back.values[3], here.values[3], 1e-12);
    EXPECT_NEAR(back.values[4] / here.values[4], 1, 1e-12);
    EXPECT_EQ(fmod(here.values[2], 8), 0);
    std::vector<std::string> texts;
    for (std::size_t f = 0; f < point.size(); ++f) texts.push_back(space.text(here, f));
    EXPECT_EQ(space.parse(texts), here);
  }
  // The ends belong to the range.
  EXPECT_EQ(space.at(std::vector<double>(8, 1.0)).values,
            (std::vector<double>{1000, 64, 1024, 3, 1, 2, 1, 3}));
  EXPECT_EQ(space.at(std::vector<double>(8, 0.0)).values[1], 4);
}

TEST(SearchSpace, LogarithmicIntegersAreLikelyByTheirRatio) {
  SearchFactor batch = integer("batch", 1, 1023);
  batch.log = true;
  const SearchSpace space({batch}, {});
  // The axis goes from 0.5 to 1023.5; below 32 lies log(31.5 / 0.5) / log(1023.5 / 0.5) of it.
  const double share = std::log(63.0) / std::log(2047.0);
  Rng rng = Rng(5).stream("draws");
  int below = 0;
  for (int i = 0; i < 10000; ++i) below += space.draw(rng).values[0] < 32 ? 1 : 0;
  EXPECT_NEAR(below, 10000 * share, 5 * std::sqrt(10000 * share * (1 - share)));
}

TEST(SearchSpace, TextsAreReadBackWithReasons) {
  const SearchSpace space = tree();
  const auto fault = [&](const std::vector<std::string>& texts) {
    return error_of([&] { (void)space.parse(texts, {"row.csv", 2, 1}); });
  };
  EXPECT_EQ(space.text(space.parse(std::vector<std::string>{"", "1", "ps"})), "servers=1 strategy=ps");
  EXPECT_NE(fault({"", "1", "pss"}).find("row.csv:2:1: error: 'pss' is no value of factor 'strategy'"),
            std::string::npos);
  EXPECT_NE(fault({"", "1.5", "ps"}).find("a whole number from 1 to 3"), std::string::npos);
  EXPECT_NE(fault({"", "1", "ring"}).find("exists only where strategy == 'ps'"), std::string::npos);
  EXPECT_NE(fault({"", "", "ps"}).find("factor 'servers' has no value"), std::string::npos);
  EXPECT_NE(fault({"", "1"}).find("3 values, not 2"), std::string::npos);
  EXPECT_NE(fault({"", "nan", "ps"}).find("is no value"), std::string::npos);
}

TEST(SearchSpace, AListIsAllThereIs) {
  const std::vector<SearchFactor> factors = {categorical("vm", {"a", "b"}),
                                             ordinal("count", {"2", "4", "8"})};
  const std::vector<Configuration> rows = {{{0, 0}}, {{1, 2}}, {{0, 2}}};
  const SearchSpace space =
      SearchSpace::of_list(factors, rows, {{.name = "total"}}, stats::Matrix::from_rows({{4}, {32}, {16}}));
  EXPECT_EQ(*space.all(3), rows);
  EXPECT_EQ(space.all(2), std::nullopt);
  EXPECT_TRUE(space.valid({{1, 2}}));
  EXPECT_FALSE(space.valid({{1, 0}}));
  EXPECT_EQ(space.features({{1, 2}}), std::vector<double>{32});
  EXPECT_EQ(std::get<double>(*space.named_value({{1, 2}}, "count")), 8);
  EXPECT_EQ(std::get<double>(*space.named_value({{1, 2}}, "total")), 32);
  Rng rng = Rng(1).stream("list");
  std::set<std::string> drawn;
  for (int i = 0; i < 100; ++i) drawn.insert(space.text(space.draw(rng)));
  EXPECT_EQ(drawn.size(), 3U);
  EXPECT_EQ(candidates(space, 10, rng).size(), 3U);
  EXPECT_EQ(candidates(space, 2, rng).size(), 2U);
  EXPECT_NE(error_of([&] {
              SearchSpace::of_list(factors, {{{0, 0}}, {{0, 0}}}, {}, stats::Matrix(2, 0));
            }).find("twice"),
            std::string::npos);
  EXPECT_NE(error_of([&] { SearchSpace::of_list(factors, {}, {}, {}); }).find("empty"), std::string::npos);
  EXPECT_NE(error_of([&] {
              SearchSpace::of_list(factors, {{{0, 3}}}, {}, stats::Matrix(1, 0));
            }).find("no factor has"),
            std::string::npos);
}

TEST(SearchSpace, CandidatesAreValidDistinctAndCoverEachLevel) {
  SearchFactor batch = integer("batch", 1, 512);
  batch.log = true;
  const SearchFactor rate{.name = "rate", .kind = FactorKind::real, .low = 1e-4, .high = 1, .log = true};
  const SearchSpace space({categorical("s", {"a", "b", "c", "d"}), batch, rate},
                          {Expression::parse("batch * rate < 64")});
  Rng rng = Rng(2).stream("candidates");
  const std::vector<Configuration> found = candidates(space, 500, rng);
  ASSERT_EQ(found.size(), 500U);
  std::set<std::string> texts;
  std::map<double, int> levels;
  for (const Configuration& each : found) {
    EXPECT_TRUE(space.valid(each));
    texts.insert(space.text(each));
    ++levels[each.values[0]];
  }
  EXPECT_EQ(texts.size(), 500U);
  // Scrambled Sobol points share four levels almost evenly; random ones would differ by sqrt(94) = 10 and
  // more.
  for (const auto& [level, count] : levels) EXPECT_NEAR(count, 125, 8) << level;
}

}  // namespace
}  // namespace sextant::explore
