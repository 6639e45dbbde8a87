// Adjusted means, slopes and pairs by the model of the analysis of variance. Expected numbers are of R 4.2
// with contr.sum and emmeans 1.8: emmeans(m, "a"), confint(emmeans(m, "a")), emtrends(m, ~1, "x") and
// pairs(emmeans(m, "a")), whose p R's ptukey() gives to about ten digits.
#include <gmock/gmock.h>

#include <cmath>

#include "analysis_support.h"
#include "sextant/analysis/analysis.h"

namespace sextant::analysis::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const LevelPair& pair_of(const PairwiseResult& result, const std::string& a, const std::string& b) {
  for (const LevelPair& pair : result.pairs) {
    if (pair.a == a && pair.b == b) return pair;
  }
  throw std::runtime_error("no pair " + a + " " + b);
}

// m <- lm(time ~ machine * factor(batch))
TEST(AnalysisEffects, MeansAndPairsHaveTheInteractionsOfTheModel) {
  const AnalysisTable table = runs(kUnbalanced, {.response = "time"});
  const auto effects = level_effects(table, {.order = 2}).effects;
  EXPECT_EQ(effects[0].order, 2);
  EXPECT_EQ(effects[0].df, 8);
  // By hand: mean of the cells' means, (25.1 + (14.2 + 15.9 + 13.8) / 3) / 2.
  EXPECT_NEAR(effects[0].levels[0].adjusted, (25.1 + 43.9 / 3) / 2, 1e-12);
  EXPECT_NEAR(effects[0].levels[0].interval.low, 18.4711054283236, 1e-10);
  EXPECT_NEAR(effects[0].levels[0].interval.high, 21.2622279050098, 1e-10);
  EXPECT_NEAR(effects[1].levels[0].adjusted, 32.6388888888889, 1e-11);
  EXPECT_NEAR(effects[1].levels[1].interval.high, 26.2869520026903, 1e-10);
  const PairwiseResult tukey = level_effects(table, {.order = 2}).pairs;
  const LevelPair& pair = pair_of(tukey, "large", "medium");
  EXPECT_NEAR(pair.difference, -6.94166666666667, 1e-11);
  EXPECT_NEAR(pair.standard_error, 0.771463706210474, 1e-12);
  EXPECT_EQ(pair.df, 8);
  EXPECT_NEAR(pair.p, 4.8466611315634e-05, 1e-9);
  // Of two levels Tukey's test is the t test.
  EXPECT_NEAR(pair_of(tukey, "32", "64").p, 2.23602536767061e-06, 1e-13);
  EXPECT_TRUE(tukey.notes.empty());
}

// Three by three with c at z never run: with interactions R has no mean of c ("nonEst"), nor of z.
const char* const kEmptyCell =
    "a,b,y\na,x,4.1\na,x,3.8\na,y,5.2\na,y,5.9\na,z,7.3\na,z,6.6\nb,x,6.2\nb,x,6.9\nb,y,9.4\nb,y,9.1\n"
    "b,z,12.8\nb,z,12.1\nc,x,5.5\nc,x,5.1\nc,y,6.8\nc,y,7.7\n";

TEST(AnalysisEffects, EmptyCellsFallBackAndAreNamed) {
  const AnalysisTable table = runs(kEmptyCell, {.response = "y"});
  const Analysis all = analyze(table);
  ASSERT_EQ(all.anova.order, 2);
  EXPECT_EQ(all.effects[0].order, 1);
  EXPECT_EQ(all.effects[0].df, 11);
  // m <- lm(y ~ a + b)
  EXPECT_NEAR(all.effects[0].levels[2].adjusted, 7.4, 1e-11);
  EXPECT_NEAR(all.effects[0].levels[2].interval.low, 6.53179644800074, 1e-11);
  EXPECT_NEAR(pair_of(all.pairs, "a", "c").p, 0.00668484852226447, 1e-9);
  EXPECT_THAT(testing::PrintToString(all.pairs.notes), HasSubstr("by the model without interactions: a, b"));
}

// m <- lm(y ~ x * f); the slope is the mean of the slopes at u and at v.
TEST(AnalysisEffects, SlopeOfACovariateThatInteracts) {
  std::string csv = "x,f,y\n";
  const double y[] = {3.1, 5.2, 7.8, 9.4, 11.9, 13.5, 16.1, 17.2, 20.8, 21.6, 24.7, 25.4};
  for (int i = 0; i < 12; ++i) {
    csv += std::to_string(i + 1) + (i % 2 == 0 ? ",u," : ",v,") + std::to_string(y[i]) + "\n";
  }
  const auto effects = level_effects(runs(csv, {.response = "y"}), {.order = 2}).effects;
  ASSERT_TRUE(effects[0].covariate);
  EXPECT_NEAR(effects[0].slope, 2.08928571428574, 1e-12);
  EXPECT_NEAR(effects[0].slope_interval.low, 2.05246669341324, 1e-11);
  EXPECT_NEAR(effects[1].levels[0].adjusted, 15.1466666666667, 1e-11);
  EXPECT_NEAR(effects[1].levels[0].interval.high, 15.3264148992103, 1e-11);
}

// Family follows from the machine, three machines in two families: no mean averages both evenly, while disks
// can be compared.
TEST(AnalysisEffects, DifferencesAreKnownWhereMeansAreNot) {
  const AnalysisTable table = runs(
      "machine,family,disk,y\na1,a,s,1.1\na1,a,f,2.3\na2,a,s,3.2\na2,a,f,4.6\nb1,b,s,7.4\nb1,b,f,8.1\na1,a,s,"
      "1.4\n",
      {.response = "y", .factors = {"machine", "family", "disk"}});
  const auto effects = level_effects(table).effects;
  EXPECT_FALSE(effects[2].levels[0].estimable);
  const PairwiseResult tukey = level_effects(table).pairs;
  EXPECT_NEAR(pair_of(tukey, "f", "s").difference, 1.05, 1e-12);
  EXPECT_NEAR(pair_of(tukey, "f", "s").p, 0.0105170053370425, 1e-12);
}

// A run that is repeated n times weighs as n runs: the same rows in any order give the same answer.
TEST(AnalysisEffects, OrderOfTheRunsHasNoSay) {
  std::vector<std::string> rows;
  for (int i = 0; i < 40; ++i) {
    rows.push_back("m" + std::to_string(i % 3) + "," + std::to_string(i % 4) + "," +
                   std::to_string(i * 37 % 11 + 2 * (i % 3)) + "\n");
  }
  const auto csv_of = [&] {
    std::string csv = "m,n,y\n";
    for (const std::string& row : rows) csv += row;
    return csv;
  };
  const Analysis once = analyze(runs(csv_of(), {.response = "y"}));
  std::ranges::reverse(rows);
  const Analysis again = analyze(runs(csv_of(), {.response = "y"}));
  for (std::size_t t = 0; t < once.anova.rows.size(); ++t) {
    EXPECT_NEAR(once.anova.rows[t].ss, again.anova.rows[t].ss, 1e-10);
  }
  EXPECT_NEAR(once.effects[0].levels[0].interval.low, again.effects[0].levels[0].interval.low, 1e-11);
  EXPECT_NEAR(once.anova.residuals.front(), again.anova.residuals.back(), 1e-12);
}

}  // namespace
}  // namespace sextant::analysis::test
