#include "sextant/predict/operator_regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"

namespace sextant::predict {
namespace {

TimedCall timed(double x, double flop, double bytes, double seconds) {
  return {.call = {.kind = "conv", .flop = flop, .bytes = bytes, .coordinates = {x}}, .seconds = seconds};
}

// 8 us, 50 GFLOP/s, 20 GB/s, with independent work and traffic.
std::vector<TimedCall> by_the_law(int count, double scatter = 0) {
  Rng rng(3);
  std::vector<TimedCall> calls;
  for (int i = 0; i < count; ++i) {
    const double flop = 1e5 * std::pow(1e4, rng.uniform());
    const double bytes = 1e4 * std::pow(1e4, rng.uniform());
    const double noise = std::exp(scatter * rng.normal());
    calls.push_back(timed(std::log(flop), flop, bytes, (8e-6 + flop / 5e10 + bytes / 2e10) * noise));
  }
  return calls;
}

TEST(CallCost, FindsOverheadRateAndBandwidth) {
  const CallCost cost = fit_call_cost(by_the_law(100));
  EXPECT_NEAR(cost.call_s, 8e-6, 1e-9);
  EXPECT_NEAR(cost.s_per_flop * 5e10, 1, 1e-6);
  EXPECT_NEAR(cost.s_per_byte * 2e10, 1, 1e-6);
}

TEST(CallCost, OutliersHardlyMoveIt) {
  std::vector<TimedCall> calls = by_the_law(100);
  for (std::size_t i = 0; i < calls.size(); i += 20) calls[i].seconds *= 10;
  EXPECT_NEAR(fit_call_cost(calls).s_per_flop * 5e10, 1, 0.05);
}

// Twice the time for x > 2: the correction learns it near the data and forgets it far away.
TEST(OperatorRegression, LearnsWhereCallsAreSlow) {
  std::vector<TimedCall> calls;
  for (int i = 0; i < 40; ++i) {
    const double x = 0.1 * i;
    calls.push_back(timed(x, 1e8, 0, (x > 2 ? 2 : 1) * 1e-3));
  }
  const OperatorRegression fit = fit_operator_regression(calls, {.signal = 0.35, .noise = 0.03});
  EXPECT_NEAR(fit.seconds(timed(0.55, 1e8, 0, 0).call), 1e-3, 5e-5);
  EXPECT_NEAR(fit.seconds(timed(3.45, 1e8, 0, 0).call), 2e-3, 1e-4);
  const double far = fit.cost.seconds(1e8, 0) * std::exp(fit.offset);
  EXPECT_NEAR(fit.seconds(timed(50, 1e8, 0, 0).call), far, 1e-9);
  EXPECT_NEAR(fit.distance(timed(4.9, 1e8, 0, 0).call), 1, 1e-9);  // one beyond 3.9
}

TEST(OperatorRegression, ScatterAveragesOut) {
  const OperatorRegression fit =
      fit_operator_regression(by_the_law(400, 0.2), {.signal = 0.35, .noise = 0.2});
  double sum = 0;
  const std::vector<TimedCall> truth = by_the_law(400);
  for (const TimedCall& t : truth) sum += std::abs(std::log(fit.seconds(t.call) / t.seconds));
  EXPECT_LT(sum / 400, 0.06);  // 0.2 scatter has mean size 0.16
}

TEST(OperatorRegression, SmoothnessFollowsTheScatter) {
  EXPECT_LT(fit_smoothness(by_the_law(150, 0.01)).noise, 0.05);
  EXPECT_GT(fit_smoothness(by_the_law(150, 0.2)).noise, 0.1);
}

TEST(OperatorRegression, ManyCallsBecomeFewPoints) {
  const std::vector<TimedCall> calls = by_the_law(3000, 0.05);
  const OperatorRegression fit = fit_operator_regression(calls, {.signal = 0.35, .noise = 0.05});
  EXPECT_LE(fit.points.rows(), 900U);
  EXPECT_NEAR(std::log(fit.seconds(calls[7].call) / calls[7].seconds), 0, 0.3);
}

TEST(OperatorRegression, RefusesWhatIsNoTime) {
  EXPECT_THROW(fit_operator_regression({}, {}), InputError);
  for (const double bad :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<TimedCall> calls = by_the_law(10);
    calls[4].seconds = bad;
    EXPECT_THROW(fit_operator_regression(calls, {}), InputError) << bad;
  }
  std::vector<TimedCall> uneven = by_the_law(10);
  uneven[3].call.coordinates.push_back(1);
  EXPECT_THROW(fit_operator_regression(uneven, {}), InputError);
}

TEST(OperatorRegression, ACallThatTookNoTimeIsNoReasonToFail) {
  std::vector<TimedCall> calls = by_the_law(10);
  for (TimedCall& t : calls) t.seconds = 0;
  const OperatorRegression fit = fit_operator_regression(calls, {});
  EXPECT_TRUE(std::isfinite(fit.seconds(calls[0].call)));
}

}  // namespace
}  // namespace sextant::predict
