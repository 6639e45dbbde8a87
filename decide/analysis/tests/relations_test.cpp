// Regressions, transfer between workloads, and diminishing returns.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "analysis_support.h"
#include "error_of.h"
#include "sextant/analysis/factor_regression.h"
#include "sextant/analysis/scaling_laws.h"
#include "sextant/analysis/transfer.h"
#include "sextant/core/rng.h"

namespace sextant::analysis::test {
namespace {

using testing::HasSubstr;

TEST(AnalysisRegression, WorkedExample) {
  // Digits of R's lm.
  const auto lines = factor_regressions(
      runs("batch,rate\n2,260\n4,510\n8,1010\n16,1985\n32,3920\n64,7900\n", {.response = "rate"}));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NEAR(lines[0].slope, 123.0117270788913, 1e-10);
  EXPECT_NEAR(lines[0].intercept, 14.2537313432835, 1e-10);
  EXPECT_NEAR(lines[0].t, 367.21249864261540, 1e-8);
  EXPECT_NEAR(lines[0].p, 3.29958986342868e-10, 1e-18);
  EXPECT_NEAR(lines[0].r2, 0.999970337196185, 1e-13);
  EXPECT_NEAR(lines[0].interval.low, 122.081651689866, 1e-9);
  EXPECT_NEAR(lines[0].interval.high, 123.941802467917, 1e-9);
  EXPECT_TRUE(lines[0].evidence);
}

TEST(AnalysisRegression, LargePIsNoEvidence) {
  std::string csv = "batch,repetition,rate\n";
  for (int batch = 1; batch <= 4; ++batch) {
    for (int repetition = 1; repetition <= 3; ++repetition) {
      csv += std::to_string(batch) + "," + std::to_string(repetition) + "," +
             std::to_string(100 * batch + (repetition == 2 ? 1 : 0)) + "\n";
    }
  }
  const auto lines = factor_regressions(runs(csv, {.response = "rate"}));
  EXPECT_TRUE(lines[0].evidence);
  EXPECT_FALSE(lines[1].evidence);
  EXPECT_GT(lines[1].p, 0.9);
  EXPECT_EQ(lines[1].p_holm, lines[1].p);      // the largest of two keeps its own
  EXPECT_EQ(lines[0].p_holm, 2 * lines[0].p);  // the smallest is doubled
}

TEST(AnalysisRegression, ExactRelationsAreNamed) {
  std::string csv = "batch,batches,data,half,y\n";
  Rng rng = Rng(7).stream("vif");
  for (const int batch : {2, 4, 8, 16}) {
    for (const int batches : {10, 20, 50}) {
      csv += std::to_string(batch) + "," + std::to_string(batches) + "," + std::to_string(batch * batches) +
             "," + std::to_string(0.5 * batch + 3) + "," + std::to_string(rng.uniform()) + "\n";
    }
  }
  const auto found = collinearity(runs(csv, {.response = "y", .factors = {"batch", "batches", "data"}}));
  EXPECT_EQ(found[2].relation, "data = batch x batches");
  EXPECT_TRUE(std::isfinite(found[2].vif));  // no sum gives it, a product does
  const auto linear = collinearity(runs(csv, {.response = "y", .factors = {"batch", "batches", "half"}}));
  EXPECT_EQ(linear[2].relation, "half = 0.5 batch + 3");
  EXPECT_TRUE(std::isinf(linear[2].vif));
  EXPECT_NEAR(linear[1].vif, 1, 1e-12);  // crossed with the others
}

// Two workloads over four configurations; costs made up.
const char* const kWorkloads =
    "case,m,n,cost,done\n"
    "s,a,1,10,1\ns,a,2,12,1\ns,b,1,8,1\ns,b,2,9,1\n"
    "t,a,1,5,1\nt,a,2,7,1\nt,b,1,6,1\nt,b,2,,0\n";

TEST(AnalysisTransfer, RegretByHand) {
  const auto rows = transfer_table(
      runs(kWorkloads, {.response = "cost", .factors = {"m", "n"}, .group = "case", .censored = "done=0"}),
      2);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].source, "s");
  EXPECT_EQ(rows[0].source_best, "m=b n=1");
  EXPECT_EQ(rows[0].target_best, "m=a n=1");
  EXPECT_NEAR(rows[0].regret, 6.0 / 5 - 1, 1e-14);
  EXPECT_EQ(rows[0].common, 4U);
  EXPECT_EQ(rows[0].top_share, 0.5);  // {b1, b2} and {a1, b1}
  EXPECT_NEAR(rows[1].regret, 10.0 / 8 - 1, 1e-14);
  ASSERT_TRUE(rows[0].spearman);  // a1, a2, b1: 10, 12, 8 and 5, 7, 6
  EXPECT_NEAR(rows[0].spearman->value, 0.5, 1e-14);
  EXPECT_NEAR(rows[0].kendall->value, 1.0 / 3, 1e-14);
}

TEST(AnalysisTransfer, AnOptimumThatFailsHasInfiniteRegret) {
  const auto rows = transfer_table(runs("case,m,y,ok\ns,a,1,1\ns,b,2,1\nt,a,,0\nt,b,3,1\n",
                                        {.response = "y", .group = "case", .censored = "ok=0"}));
  EXPECT_EQ(rows[0].regret, std::numeric_limits<double>::infinity());
  EXPECT_NEAR(rows[1].regret, 2.0 / 1 - 1, 1e-14);  // from t to s
}

TEST(AnalysisTransfer, ALineIsFoundAndMoreCanBeBetter) {
  std::string csv = "case,m,y\n";
  for (int i = 1; i <= 5; ++i) {
    csv += "s,k" + std::to_string(i) + "," + std::to_string(i * i) + "\n";
    csv += "t,k" + std::to_string(i) + "," + std::to_string(3 * i * i + 2) + "\n";
  }
  const auto rows = transfer_table(runs(csv, {.response = "y", .group = "case", .maximise = true}));
  EXPECT_NEAR(rows[0].shift->slope, 3, 1e-12);
  EXPECT_NEAR(rows[0].shift->intercept, 2, 1e-10);
  EXPECT_NEAR(rows[0].shift->r2, 1, 1e-12);
  EXPECT_EQ(rows[0].regret, 0);
  EXPECT_EQ(rows[0].source_best, "m=k5");
}

TEST(AnalysisScaling, UniversalLawAgreesWithLeastSquares) {
  // Made up; parameters by Gauss-Newton steps on the logarithm in 50 decimal digits (R's nls() has six of
  // them).
  const std::vector<CountPoint> points = {{1, 955.2},   {2, 1878.9},   {4, 3548.7},   {8, 6531.1},
                                          {16, 9897.2}, {32, 12080.6}, {48, 11590.5}, {64, 10540.4}};
  const ScalingCurves fits = fit_scaling_curves(points);
  const ScalingCurve& usl = fits.curves.front();
  EXPECT_EQ(usl.law, "usl");
  EXPECT_NEAR(usl.rate, 960.92816860279692803, 1e-10);
  EXPECT_NEAR(usl.serial, 0.022121065982926510271, 1e-14);
  EXPECT_NEAR(usl.crosstalk, 0.85837799209963024003e-3, 1e-15);
  EXPECT_NEAR(*usl.best_count, 33.752291106431127484, 1e-11);
  EXPECT_EQ(fits.curves[1].law, "amdahl");
  EXPECT_NEAR(fits.curves[1].rate, 1062.0139088604164655, 1e-9);
  EXPECT_NEAR(fits.curves[1].serial, 0.068302313490897259920, 1e-13);
  EXPECT_TRUE(usl.best_count_interval->contains(*usl.best_count));
  EXPECT_LT(usl.best_count_interval->width(), 10);
  EXPECT_GT(usl.throughput(*usl.best_count), usl.throughput(*usl.best_count * 1.1));
  EXPECT_NEAR(usl.throughput(*usl.half_count), 0.5 * *usl.half_count * usl.rate, 1e-6);
}

TEST(AnalysisScaling, LawsAreFoundBack) {
  Rng rng = Rng(8).stream("laws");
  for (int trial = 0; trial < 10; ++trial) {
    const double serial = 0.01 + 0.2 * rng.uniform();
    const double crosstalk = 1e-4 + 1e-3 * rng.uniform();
    const ScalingCurve truth{.law = "usl", .rate = 7, .serial = serial, .crosstalk = crosstalk};
    std::vector<CountPoint> points;
    for (const double n : {1, 2, 4, 8, 12, 16, 24, 32, 64}) points.push_back({n, truth.throughput(n)});
    const ScalingCurves fits = fit_scaling_curves(points);
    EXPECT_EQ(fits.curves.front().law, "usl");
    EXPECT_NEAR(fits.curves.front().serial, serial, 1e-12);
    EXPECT_NEAR(*fits.curves.front().best_count, std::sqrt((1 - serial) / crosstalk), 1e-9);
  }
  std::vector<CountPoint> amdahl;
  for (const double n : {1, 2, 4, 8, 16, 32}) amdahl.push_back({n, 100 * n / (1 + 0.1 * (n - 1))});
  const ScalingCurves fits = fit_scaling_curves(amdahl);
  const ScalingCurve& best = fits.curves.front();
  EXPECT_EQ(best.law, "amdahl");
  EXPECT_NEAR(best.serial, 0.1, 1e-9);
  EXPECT_NEAR(*best.half_count, 11, 1e-6);  // 1 + 1 / 0.1
  EXPECT_FALSE(best.best_count);
}

TEST(AnalysisScaling, FromATableOfTimes) {
  const AnalysisTable table =
      runs("workers,s\n1,100\n2,50\n4,25\n8,12.5\n16,6.25\n32,3.125\n", {.response = "s"});
  const auto fits = scaling_of(table, "workers", 0.95, 0);
  EXPECT_EQ(fits.front().fits.curves.front().law, "linear");
  EXPECT_NEAR(fits.front().fits.curves.front().rate, 0.01, 1e-12);
  EXPECT_THAT(sextant::test::error_of([&] { static_cast<void>(scaling_of(table, "worker", 0.95, 0)); }),
              HasSubstr("workers"));
  EXPECT_THROW(fit_scaling_curves(std::vector<CountPoint>{{1, 2}, {1, 3}, {1, 4}}), InputError);
  EXPECT_THROW(fit_scaling_curves(std::vector<CountPoint>{{1, 2}, {2, -3}, {4, 4}}), InputError);
}

}  // namespace
}  // namespace sextant::analysis::test
