// Sums of squares of R 4.2 with car::Anova and sum-to-zero contrasts; Tukey of scipy.stats.tukey_hsd 1.10,
// whose studentized range has more digits than R's.
#include "sextant/analysis/anova.h"

#include <gmock/gmock.h>

#include <cmath>

#include "analysis_support.h"
#include "error_of.h"
#include "sextant/analysis/effects.h"
#include "sextant/analysis/importance.h"
#include "sextant/analysis/model_checks.h"
#include "sextant/core/rng.h"

namespace sextant::analysis::test {
namespace {

using testing::HasSubstr;

TEST(AnalysisAnova, TypeTwoOfUnbalancedRuns) {
  const AnovaResult result = anova(runs(kUnbalanced, {.response = "time"}));
  ASSERT_EQ(result.rows.size(), 3U);
  EXPECT_EQ(result.order, 2);
  EXPECT_FALSE(result.balanced);
  EXPECT_EQ(result.rows[0].term, "machine");
  EXPECT_NEAR(result.rows[0].ss, 1106.9116984127, 1e-8);
  EXPECT_EQ(result.rows[0].df, 2);
  EXPECT_NEAR(*result.rows[0].f, 503.714083464255, 1e-8);
  EXPECT_NEAR(*result.rows[0].p, 3.85268164192555e-09, 1e-17);
  EXPECT_NEAR(result.rows[0].omega_squared, 0.817147134854663, 1e-12);
  EXPECT_NEAR(result.rows[0].eta_squared, 0.81943859260732, 1e-12);
  EXPECT_NEAR(result.rows[1].ss, 143.893365079365, 1e-9);
  EXPECT_NEAR(*result.rows[1].p, 3.07539532169859e-06, 1e-14);
  EXPECT_EQ(result.rows[2].term, "machine x batch");
  EXPECT_NEAR(result.rows[2].ss, 24.2866349206349, 1e-10);
  EXPECT_NEAR(*result.rows[2].p, 0.00498735429535293, 1e-12);
  EXPECT_NEAR(result.residual_ss, 8.79, 1e-11);
  EXPECT_EQ(result.residual_df, 8);
  EXPECT_NEAR(result.r2, 0.993492827621799, 1e-13);
  EXPECT_NEAR(result.adjusted_r2, 0.989425844885424, 1e-13);
}

TEST(AnalysisAnova, TypeThreeOfUnbalancedRuns) {
  const AnovaResult result =
      anova(runs(kUnbalanced, {.response = "time"}), {.type = SumsOfSquares::type_three});
  EXPECT_NEAR(result.rows[0].ss, 875.523206349206, 1e-9);
  EXPECT_NEAR(*result.rows[0].f, 398.417841342074, 1e-9);
  EXPECT_NEAR(*result.rows[0].p, 9.76182588091349e-09, 1e-17);
  EXPECT_NEAR(result.rows[1].ss, 156.481481481481, 1e-9);
  EXPECT_NEAR(*result.rows[1].p, 2.23602536767059e-06, 1e-15);
  EXPECT_NEAR(result.rows[2].ss, 24.2866349206349, 1e-10);
}

// y = 10 a + b to the digit: an F over rounding errors would be evidence for anything.
TEST(AnalysisAnova, WithoutScatterNothingIsTested) {
  const AnalysisTable table =
      runs("a,b,y\n1,p,11\n1,q,12\n2,p,21\n2,q,22\n3,p,31\n3,q,32\n", {.response = "y"});
  const AnovaResult result = anova(table, {.order = 1});
  EXPECT_EQ(result.residual_df, 2);
  EXPECT_EQ(result.residual_ss, 0);
  for (const AnovaRow& row : result.rows) EXPECT_FALSE(row.f || row.p) << row.term;
  EXPECT_THAT(result.notes, testing::Contains(testing::HasSubstr("gives every run exactly")));
  const LevelEffects levels = level_effects(table);
  EXPECT_TRUE(levels.pairs.pairs.empty());
  EXPECT_TRUE(std::isinf(levels.effects.at(0).levels.at(0).interval.low));
  EXPECT_NEAR(levels.effects.at(0).levels.at(0).adjusted, 11.5, 1e-12);
}

TEST(AnalysisAnova, OneWayAndTukeyWorkedExample) {
  const AnalysisTable table = runs(kThreeGroups, {.response = "y"});
  const AnovaResult result = anova(table);
  EXPECT_TRUE(result.balanced);
  EXPECT_NEAR(result.rows[0].ss, 37.722222222222243, 1e-12);
  EXPECT_NEAR(result.residual_ss, 0.62, 1e-13);
  EXPECT_NEAR(*result.rows[0].f, 182.52688172043, 1e-9);
  EXPECT_NEAR(*result.rows[0].p, 4.22808031801058e-06, 1e-15);
  const PairwiseResult tukey = level_effects(table).pairs;
  ASSERT_EQ(tukey.pairs.size(), 3U);
  EXPECT_NEAR(tukey.pairs[0].difference, -2.166666666666666, 1e-12);
  EXPECT_NEAR(tukey.pairs[0].p, 0.0004191575475471776, 1e-11);
  EXPECT_NEAR(tukey.pairs[0].interval.low, -2.9719872645840946, 1e-9);
  EXPECT_NEAR(tukey.pairs[0].interval.high, -1.3613460687492378, 1e-9);
  EXPECT_NEAR(tukey.pairs[1].p, 3.3572524595903985e-06, 1e-10);
  EXPECT_NEAR(tukey.pairs[2].p, 9.2244349165993e-05, 1e-10);
  // The honestly significant difference, q sqrt(MSW / n), with the tabled q = 4.339.
  EXPECT_NEAR(tukey.pairs[0].interval.width() / 2, 4.339 * std::sqrt(0.62 / 6 / 3), 1e-4);
}

TEST(AnalysisAnova, TukeyKramer) {
  const PairwiseResult tukey =
      level_effects(runs(kUnbalanced, {.response = "time", .factors = {"machine"}})).pairs;
  ASSERT_EQ(tukey.pairs.size(), 3U);  // levels in alphabetical order
  EXPECT_EQ(tukey.pairs[0].a, "large");
  EXPECT_EQ(tukey.pairs[0].b, "medium");
  EXPECT_NEAR(tukey.pairs[0].p, 0.0071148282259999585, 1e-10);
  EXPECT_NEAR(tukey.pairs[0].interval.low, -17.597102622998502, 1e-8);
  EXPECT_NEAR(tukey.pairs[1].p, 1.0300776002059031e-05, 1e-10);
  EXPECT_NEAR(tukey.pairs[2].p, 0.0012169684393101843, 1e-10);
  EXPECT_NEAR(tukey.pairs[2].interval.high, -5.628509940932284, 1e-8);
}

TEST(AnalysisAnova, AdjustedMeans) {
  const auto effects = level_effects(runs(kUnbalanced, {.response = "time"})).effects;
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_EQ(effects[0].levels[0].level, "large");
  EXPECT_NEAR(effects[0].levels[0].mean, 17.25, 1e-12);  // (25.1 + 14.2 + 15.9 + 13.8) / 4
  EXPECT_NEAR(effects[0].levels[0].adjusted, 18.9396825396825, 1e-11);
  EXPECT_NEAR(effects[0].levels[0].interval.low, 16.8346583185173, 1e-10);
  EXPECT_NEAR(effects[0].levels[0].interval.high, 21.0447067608478, 1e-10);
  EXPECT_NEAR(effects[0].levels[2].adjusted, 40.7358730158730, 1e-11);
  EXPECT_NEAR(effects[1].levels[1].adjusted, 25.4805291005291, 1e-11);
  EXPECT_NEAR(effects[1].levels[1].interval.high, 26.9265680159154, 1e-10);
}

TEST(AnalysisAnova, TwoByTwoWorkedExample) {
  // q0 40, qA 20, qB 10, qAB 5: sums of squares 4 q^2, of 2100 in all.
  const AnalysisTable table = runs("A,B,y\n-1,-1,15\n1,-1,45\n-1,1,25\n1,1,75\n", {.response = "y"});
  const AnovaResult result = anova(table, {.order = 2});
  EXPECT_NEAR(result.rows[0].ss, 1600, 1e-10);
  EXPECT_NEAR(result.rows[1].ss, 400, 1e-10);
  EXPECT_NEAR(result.rows[2].ss, 100, 1e-10);
  EXPECT_NEAR(result.rows[0].eta_squared, 1600.0 / 2100, 1e-12);
  EXPECT_FALSE(result.rows[0].p);  // nothing says what chance does
  EXPECT_THAT(result.notes.front(), HasSubstr("no tests"));
  const auto effects = level_effects(table).effects;
  EXPECT_NEAR(effects[0].levels[1].adjusted - effects[0].levels[0].adjusted, 40, 1e-12);  // 2 qA
  EXPECT_NEAR(effects[1].range, 20, 1e-12);                                               // 2 qB
}

TEST(AnalysisAnova, CovariateAndItsInteraction) {
  std::string csv = "x,f,y\n";
  const double y[] = {3.1, 5.2, 6.8, 9.4, 10.9, 13.5, 15.1, 17.2, 18.8, 21.6, 22.7, 25.4};
  for (int i = 0; i < 12; ++i) {
    csv += std::to_string(i + 1) + (i % 2 == 0 ? ",u," : ",v,") + std::to_string(y[i]) + "\n";
  }
  const AnovaResult result = anova(runs(csv, {.response = "y"}));
  EXPECT_NEAR(result.rows[0].ss, 558.0017857142853472, 1e-9);
  EXPECT_NEAR(*result.rows[0].p, 4.32102008848340e-15, 1e-24);
  EXPECT_NEAR(result.rows[1].ss, 0.6963078588078595, 1e-11);
  EXPECT_NEAR(*result.rows[1].p, 7.23665042254881e-04, 1e-12);
  EXPECT_NEAR(*result.rows[2].p, 1.34322500732158e-01, 1e-10);
}

TEST(AnalysisAnova, BalancedSumsAddUpWhateverTheType) {
  Rng rng = Rng(5).stream("anova");
  for (int trial = 0; trial < 20; ++trial) {
    std::string csv = "a,b,c,y\n";
    for (int i = 0; i < 24; ++i) {
      csv += "a" + std::to_string(i % 2) + ",b" + std::to_string(i / 2 % 3) + ",c" +
             std::to_string(i / 6 % 2) + "," + std::to_string(rng.normal() + i % 2) + "\n";
    }
    const AnalysisTable table = runs(csv, {.response = "y"});
    const AnovaResult two = anova(table);
    const AnovaResult three = anova(table, {.type = SumsOfSquares::type_three});
    double sum = two.residual_ss;
    for (std::size_t i = 0; i < two.rows.size(); ++i) {
      sum += two.rows[i].ss;
      EXPECT_NEAR(two.rows[i].ss, three.rows[i].ss, 1e-10);
    }
    EXPECT_TRUE(two.balanced);
    EXPECT_NEAR(sum, two.total_ss, 1e-10);
    // Shares add up to what the model explains.
    const Importance shares = importance(table, 2);
    double total = 0;
    for (const FactorImportance& factor : shares.factors) total += factor.share;
    EXPECT_NEAR(total, two.adjusted_r2, 1e-12);
  }
}

TEST(AnalysisAnova, DeterminedTermsHaveNoShare) {
  // Family follows from the machine.
  const AnovaResult result =
      anova(runs("machine,family,y\na1,a,1\na1,a,1.5\na2,a,3\na2,a,3.2\nb1,b,7\nb1,b,7.4\nb2,b,9\nb2,b,9.1\n",
                 {.response = "y", .factors = {"machine", "family"}}),
            {.order = 1});
  ASSERT_EQ(result.rows.size(), 2U);
  EXPECT_EQ(result.rows[1].df, 0);
  EXPECT_EQ(result.rows[1].ss, 0);
  EXPECT_FALSE(result.rows[1].p);
  EXPECT_THAT(result.notes.front(), HasSubstr("family"));
}

TEST(AnalysisChecks, SayWhatHoldsAndWhatFails) {
  const AnalysisTable table = runs(kUnbalanced, {.response = "time"});
  const ModelChecks fine = check_model(table, anova(table));
  EXPECT_NEAR(fine.normality->p, 0.0548978349900221, 1e-11);
  // In R from its formula: M <- I - Q Q', rho <- M / sqrt(m_ii m_jj), C <- rho asin(rho) + sqrt(1 - rho^2)
  // - 1.
  EXPECT_NEAR(fine.variances[0].test.f, 0.017959764513225, 1e-9);
  EXPECT_NEAR(fine.variances[0].test.df2, 6.78580866658636, 1e-7);
  EXPECT_TRUE(fine.normal);
  // Scatter in proportion to the level: fails, and holds on the logarithm.
  Rng rng = Rng(6).stream("checks");
  std::string csv = "m,y\n";
  for (int i = 0; i < 90; ++i) {
    csv += std::string(1, static_cast<char>('a' + i % 3)) + "," +
           std::to_string(std::pow(30.0, i % 3) * std::exp(0.4 * rng.normal())) + "\n";
  }
  const AnalysisTable scaled = runs(csv, {.response = "y"});
  const ModelChecks failed = check_model(scaled, anova(scaled));
  EXPECT_FALSE(failed.equal_variances);
  EXPECT_TRUE(failed.log_helps);
  EXPECT_THAT(testing::PrintToString(failed.findings), HasSubstr("FAILS"));
  EXPECT_THAT(testing::PrintToString(failed.findings),
              HasSubstr("on the logarithm of the response both hold"));
}

// Residuals of two repetitions are each other's negative: a test that took them for two would cry wolf in a
// third of such tables.
TEST(AnalysisChecks, RepetitionsInPairsRaiseNoFalseAlarms) {
  Rng rng = Rng(9).stream("pairs");
  int alarms = 0;
  constexpr int kTables = 400;
  for (int trial = 0; trial < kTables; ++trial) {
    std::string csv = "a,b,y\n";
    for (int i = 0; i < 24; ++i) {
      csv += "a" + std::to_string(i % 4) + ",b" + std::to_string(i / 4 % 3) + "," +
             std::to_string(rng.normal()) + "\n";
    }
    const AnalysisTable table = runs(csv, {.response = "y"});
    alarms += check_model(table, anova(table)).equal_variances ? 0 : 1;
  }
  EXPECT_GT(alarms, 0.01 * kTables);
  EXPECT_LT(alarms, 0.09 * kTables);
}

TEST(AnalysisChecks, LevelsWithTwoRunsSayNothingOfVariances) {
  // Each of two residuals is as far from their median as the other: any difference would look certain.
  const AnalysisTable table = runs("f,y\na,1.2\na,1.9\nb,4.1\nb,3.3\n", {.response = "y"});
  const ModelChecks few = check_model(table, anova(table));
  EXPECT_TRUE(few.equal_variances);
  EXPECT_THAT(testing::PrintToString(few.findings), HasSubstr("not checked"));
  const AnalysisTable line = runs("x,y\n1,1\n2,2.1\n3,2.9\n4,4.2\n5,5.1\n", {.response = "y"});
  EXPECT_THAT(testing::PrintToString(check_model(line, anova(line)).findings),
              testing::Not(HasSubstr("not checked")));  // no levels to compare
  // R: big <- f != "a"; car::leveneTest(residuals(m)[big], droplevels(f[big])), median by default.
  const AnalysisTable mixed = runs(
      "f,y\na,10.7\na,10.5\nb,11.7\nb,10.4\nb,10.9\nc,12.2\nc,12.2\nc,10.9\nc,10.1\nd,12.7\nd,12.5\nd,11\nd,"
      "13.2\n",
      {.response = "y"});
  const ModelChecks checks = check_model(mixed, anova(mixed));
  ASSERT_EQ(checks.variances.size(), 1U);
  EXPECT_NEAR(checks.variances[0].test.f, 0.538623226484499, 1e-12);
  EXPECT_NEAR(checks.variances[0].test.p, 0.603314051067947, 1e-12);
  EXPECT_EQ(checks.variances[0].test.df2, 8);
}

TEST(AnalysisChecks, KruskalWallisRanksCensoredRunsLast) {
  const auto ranks = rank_tests(runs(kUnbalanced, {.response = "time"}));
  EXPECT_NEAR(ranks[0].test.h, 10.645714285714284, 1e-12);
  EXPECT_NEAR(ranks[0].test.p, 0.0048787943802991495, 1e-12);
  // 1, 2, 3 against 4 and two that never ended: ranks 1..3 and 4, 5.5, 5.5.
  const auto censored = rank_tests(
      runs("m,y,done\na,1,1\na,2,1\na,3,1\nb,4,1\nb,,0\nb,,0\n", {.response = "y", .censored = "done=0"}));
  EXPECT_EQ(censored[0].censored, 2U);
  EXPECT_EQ(censored[0].test.mean_ranks, (std::vector<double>{2, 5}));
}

}  // namespace
}  // namespace sextant::analysis::test
