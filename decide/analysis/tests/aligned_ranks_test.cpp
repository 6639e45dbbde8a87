#include "sextant/analysis/aligned_ranks.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "analysis_support.h"
#include "sextant/analysis/analysis.h"
#include "sextant/core/rng.h"
#include "sextant/stats/ranks.h"

namespace sextant::analysis::test {
namespace {

// The transform by its book, of two factors with equally many runs of each cell: off the response goes its
// cell's mean, the mean of the level less that of all is added, and of the analysis of the ranks one term
// counts.
TEST(AlignedRanks, AgreesWithTheTransformByCellMeans) {
  const std::vector<double> y = {3.1, 9.7, 4.4, 5.2, 30.5, 6.8, 7.7, 8.3, 2.2, 5.9, 12.4, 11.1};
  std::string csv = "a,b,y\n";
  for (std::size_t i = 0; i < y.size(); ++i) {
    csv += "a" + std::to_string(i % 2) + ",b" + std::to_string(i / 2 % 3) + "," + std::to_string(y[i]) + "\n";
  }
  const AnalysisTable table = runs(csv, {.response = "y"});
  const AnovaResult result = anova(table, {.order = 2});
  const std::vector<std::optional<double>> p = aligned_rank_tests(table, result);
  ASSERT_EQ(p.size(), 3U);
  double all = 0;
  std::map<std::size_t, double> cell;   // of i % 6: two runs
  std::map<std::size_t, double> level;  // of a: six runs
  for (std::size_t i = 0; i < y.size(); ++i) {
    all += y[i] / 12;
    cell[i % 6] += y[i] / 2;
    level[i % 2] += y[i] / 6;
  }
  std::vector<double> aligned;
  for (std::size_t i = 0; i < y.size(); ++i)
    aligned.push_back(std::round(1e9 * (y[i] - cell[i % 6] + level[i % 2] - all)));
  AnalysisTable ranked = table;
  ranked.y = stats::ranked(aligned).ranks;
  EXPECT_NEAR(*p[0], *anova(ranked, {.order = 2}).rows[0].p, 1e-12);
}

// Heavy tails (Student's t with 2 degrees of freedom) and a huge effect of the other factor: about 5 % of
// tables cry wolf, and an effect shows more often than in the analysis of variance.
TEST(AlignedRanks, HoldTheirLevelAndSeeThroughOutliers) {
  Rng rng = Rng(11).stream("aligned");
  constexpr int kTables = 300;
  int alarms = 0;
  int seen = 0;
  int seen_by_f = 0;
  for (int trial = 0; trial < kTables; ++trial) {
    std::string none = "a,b,y\n";
    std::string some = none;
    for (int i = 0; i < 24; ++i) {
      const double z = rng.normal();
      const double noise = z / std::sqrt(-std::log(1 - rng.uniform())) + 1000.0 * (i / 2 % 3);
      const std::string cell = "a" + std::to_string(i % 2) + ",b" + std::to_string(i / 2 % 3) + ",";
      none += cell + std::to_string(noise) + "\n";
      some += cell + std::to_string(noise + 2.0 * (i % 2)) + "\n";
    }
    const AnalysisTable table = runs(none, {.response = "y"});
    alarms += *aligned_rank_tests(table, anova(table))[0] < 0.05 ? 1 : 0;
    const AnalysisTable shifted = runs(some, {.response = "y"});
    const AnovaResult result = anova(shifted);
    seen += *aligned_rank_tests(shifted, result)[0] < 0.05 ? 1 : 0;
    seen_by_f += *result.rows[0].p < 0.05 ? 1 : 0;
  }
  EXPECT_LT(alarms, 0.09 * kTables);
  EXPECT_GT(seen, seen_by_f + 0.1 * kTables) << seen << " " << seen_by_f;
}

// Times in proportion to three factors, with scatter in proportion: the checks fail on the times and hold on
// their logarithm, which is then analysed, and that is said.
TEST(AnalysisLogarithm, IsTakenWhereItAloneHolds) {
  Rng rng = Rng(7).stream("ratios");
  std::string csv = "machine,gpus,time\n";
  for (int i = 0; i < 72; ++i) {
    const double time =
        1000 * (i % 2 == 0 ? 1 : 1.3) / std::pow(4.0, i / 2 % 3) * std::exp(0.05 * rng.normal());
    csv += std::string(i % 2 == 0 ? "a," : "b,") + std::to_string(1 << (2 * (i / 2 % 3))) + "," +
           std::to_string(time) + "\n";
  }
  const Analysis chosen = analyze(runs(csv, {.response = "time"}));
  EXPECT_TRUE(chosen.log);
  EXPECT_TRUE(chosen.chose_log);
  EXPECT_TRUE(chosen.checks.hold());
  EXPECT_EQ(chosen.table.response, "log(time)");
  EXPECT_THAT(chosen.notes.front(), testing::HasSubstr("`plain`"));
  EXPECT_FALSE(chosen.anova.rows[0].rank_p);
  const Analysis asked = analyze(runs(csv, {.response = "time", .log = true}));
  EXPECT_FALSE(asked.chose_log);
  EXPECT_EQ(asked.anova.rows[0].ss, chosen.anova.rows[0].ss);
  const Analysis plain = analyze(runs(csv, {.response = "time"}), {.may_log = false});
  EXPECT_FALSE(plain.log);
  EXPECT_FALSE(plain.checks.hold());
  EXPECT_LT(*plain.anova.rows[0].rank_p, 0.05);
}

}  // namespace
}  // namespace sextant::analysis::test
