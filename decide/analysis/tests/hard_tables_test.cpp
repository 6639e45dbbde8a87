// Tables on which analyses go wrong: ties, a level that never varies, combinations that were never run.
// Numbers made up; expected values of R 4.2 with contr.sum, car 3.1 and emmeans 1.8, the calls above each.
#include <gmock/gmock.h>

#include "analysis_support.h"
#include "sextant/analysis/analysis.h"

namespace sextant::analysis::test {
namespace {

// kruskal.test(y ~ f); car::Anova(lm(y ~ f)); car::leveneTest(residuals(lm(y ~ f)), f)
TEST(HardTables, Ties) {
  std::string csv = "f,y\n";
  const int y[] = {6, 4, 6, 1, 1, 4, 2, 4, 7, 2, 7, 6, 7, 3, 8, 3, 5, 8, 4, 7, 7, 4, 6, 8};
  for (int i = 0; i < 24; ++i) csv += "l" + std::to_string(i / 6) + "," + std::to_string(y[i]) + "\n";
  const Analysis all = analyze(runs(csv, {.response = "y"}));
  EXPECT_NEAR(all.ranks[0].test.h, 4.02816168821518, 1e-13);
  EXPECT_NEAR(all.ranks[0].test.p, 0.258439189658045, 1e-14);
  EXPECT_NEAR(all.anova.rows[0].ss, 20, 1e-12);
  EXPECT_NEAR(*all.anova.rows[0].p, 0.266802144943684, 1e-14);
  EXPECT_NEAR(all.checks.variances[0].test.f, 0.551378446115288, 1e-13);
}

// As above; pairs(emmeans(m, "f")), p of SciPy 1.10's studentized_range.sf.
TEST(HardTables, ALevelThatNeverVaries) {
  const Analysis all =
      analyze(runs("f,y\na,5\na,5\na,5\nb,6.1\nb,6.4\nb,5.8\nc,7\nc,7.7\nc,8.1\n", {.response = "y"}));
  EXPECT_NEAR(*all.anova.rows[0].f, 38.325, 1e-11);
  EXPECT_NEAR(*all.anova.rows[0].p, 0.000382582567549987, 1e-16);
  EXPECT_NEAR(all.checks.variances[0].test.f, 1.9782608695652, 1e-12);
  EXPECT_NEAR(all.checks.normality->p, 0.468412410307011, 1e-13);
  EXPECT_NEAR(all.ranks[0].test.p, 0.0241338965449133, 1e-15);
  ASSERT_EQ(all.pairs.pairs.size(), 3U);
  EXPECT_NEAR(all.pairs.pairs[0].p, 0.0238048008606817, 1e-8);
  EXPECT_NEAR(all.pairs.pairs[2].p, 0.00570029978022057, 1e-8);
}

// a2 with b2 was never run.
const char* const kThreeFactors =
    "a,b,c,y\na0,b0,c0,20.6331\na0,b0,c0,19.9849\na0,b0,c0,19.9025\na0,b0,c1,22.6984\na0,b1,c0,18.3318\n"
    "a0,b1,c0,17.4886\na0,b1,c1,22.1587\na0,b1,c1,21.1371\na0,b2,c0,17.6549\na0,b2,c0,18.5383\n"
    "a0,b2,c1,22.1702\na0,b2,c1,19.9557\na0,b2,c1,19.6216\na1,b0,c0,22.3443\na1,b0,c0,22.3647\n"
    "a1,b0,c0,23.8026\na1,b0,c1,25.0785\na1,b0,c1,25.2602\na1,b0,c1,24.6222\na1,b1,c0,22.9639\n"
    "a1,b1,c1,25.461\na1,b1,c1,24.6481\na1,b2,c0,22.2261\na1,b2,c0,22.8662\na1,b2,c1,23.5518\n"
    "a1,b2,c1,25.5055\na1,b2,c1,25.6629\na2,b0,c0,25.3878\na2,b0,c0,26.4607\na2,b0,c0,26.7152\n"
    "a2,b0,c1,25.8302\na2,b1,c0,27.2055\na2,b1,c0,25.9658\na2,b1,c0,26.7274\na2,b1,c1,27.7772\n"
    "a2,b1,c1,27.5802\n";

// m <- lm(y ~ (a + b + c)^2); car::Anova(m, type = 2); pairs(emmeans(m, "c", nesting = NULL))
TEST(HardTables, CombinationsThatWereNeverRun) {
  const Analysis all = analyze(runs(kThreeFactors, {.response = "y"}));
  const double ss[] = {221.190282046855, 3.35367879237696, 35.1749343660336,
                       9.30165673007548, 7.16938364208372, 1.1856230836444};
  const double df[] = {2, 2, 1, 3, 2, 2};
  ASSERT_EQ(all.anova.rows.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(all.anova.rows[i].ss, ss[i], 1e-11) << all.anova.rows[i].term;
    EXPECT_EQ(all.anova.rows[i].df, df[i]) << all.anova.rows[i].term;
  }
  EXPECT_NEAR(all.anova.residual_ss, 12.9118110073659, 1e-11);
  EXPECT_NEAR(*all.anova.rows[3].p, 0.00525093066546212, 1e-13);
  // No mean of c is estimable with a x b, as it averages over a2 with b2; the difference is.
  EXPECT_EQ(all.effects[2].order, 1);
  const LevelPair& pair = all.pairs.pairs.back();
  EXPECT_EQ(pair.factor, "c");
  EXPECT_EQ(pair.df, 23);
  EXPECT_NEAR(pair.difference, -1.84666881677654, 1e-12);
  EXPECT_NEAR(pair.standard_error, 0.272263129346233, 1e-13);
  EXPECT_NEAR(pair.p, 6.43955458719366e-07, 1e-14);
}

}  // namespace
}  // namespace sextant::analysis::test
