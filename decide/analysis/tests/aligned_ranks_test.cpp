#include "sextant/analysis/aligned_ranks.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
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

// 24 runs of two factors, of which b moves the response by 1000 and a by `effect`.
AnalysisTable noisy_runs(double effect, const std::function<double()>& noise) {
  std::string csv = "a,b,y\n";
  for (int i = 0; i < 24; ++i) {
    csv += "a" + std::to_string(i % 2) + ",b" + std::to_string(i / 2 % 3) + "," +
           std::to_string(1000.0 * (i / 2 % 3) + effect * (i % 2) + noise()) + "\n";
  }
  return runs(csv, {.response = "y"});
}

// Tables of 300 in which a shows: by ranks, by F, and by both.
struct Shown {
  int ranks = 0;
  int f = 0;
  int both = 0;
};
Shown shown(double effect, const std::function<double()>& noise) {
  Shown out;
  for (int trial = 0; trial < 300; ++trial) {
    const AnalysisTable table = noisy_runs(effect, noise);
    const AnovaResult result = anova(table);
    const bool ranks = *aligned_rank_tests(table, result)[0] < 0.05;
    const bool f = *result.rows[0].p < 0.05;
    out.ranks += ranks ? 1 : 0;
    out.f += f ? 1 : 0;
    out.both += ranks && f ? 1 : 0;
  }
  return out;
}

TEST(AlignedRanks, HoldTheirLevelBesideALargeEffect) {
  Rng rng = Rng(11).stream("skewed");
  EXPECT_LT(shown(0, [&] { return rng.exponential(1); }).ranks, 0.09 * 300);
}

// Where means jump (Cauchy), what is aligned by them jumps too, and ranks alone cry wolf; with F they do not.
TEST(AlignedRanks, CountTogetherWithFWhereTailsAreHeaviest) {
  Rng rng = Rng(11).stream("heavy");
  const auto cauchy = [&] { return std::tan(3.14159265358979 * (rng.uniform() - 0.5)); };
  const Shown nothing = shown(0, cauchy);
  EXPECT_GT(nothing.ranks, 0.1 * 300);
  EXPECT_LT(nothing.both, 0.06 * 300);
  EXPECT_GT(shown(60, cauchy).both, 0.7 * 300);
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
