// Fits on steps whose coefficients are known: what is recovered, and what few rows may move.
#include "sextant/predict/kernel_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sextant/core/rng.h"
#include "synthetic_steps.h"

namespace sextant::predict {
namespace {

using test::pointers;
using test::StepPlan;
using test::synthetic_steps;

// As far from the start as stacks usually are.
Coefficients perturbed(std::uint64_t seed) {
  Coefficients c = start_coefficients();
  Rng rng(seed);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double direction = rng.uniform() < 0.5 ? -1 : 1;
    c[i] += direction * coefficient_table()[i].stack_sd;
  }
  return c;
}

double time_of(const Observation& row, const Coefficients& c) {
  return step_time(*row.kernels, row.device, c).total;
}

double worst_error(const std::vector<Observation>& rows, const Coefficients& c) {
  double worst = 0;
  for (const Observation& row : rows) worst = std::max(worst, std::abs(time_of(row, c) / row.seconds - 1));
  return worst;
}

double mean_error(const std::vector<Observation>& rows, const Coefficients& c) {
  double sum = 0;
  for (const Observation& row : rows) sum += std::abs(time_of(row, c) / row.seconds - 1);
  return sum / static_cast<double>(rows.size());
}

double mean_log_error(const std::vector<Observation>& rows, const Coefficients& c) {
  double sum = 0;
  for (const Observation& row : rows) sum += std::log(time_of(row, c) / row.seconds);
  return sum / static_cast<double>(rows.size());
}

void slow_down(std::vector<Observation>& rows, double factor) {
  for (Observation& row : rows) row.seconds *= factor;
}

class Recovery : public testing::TestWithParam<std::uint64_t> {};

// 54 rows against the pull of as many coefficients: close on average, some rows further off.
TEST_P(Recovery, OfTimesIsWithinTwoPercentOnAverage) {
  const auto rows = synthetic_steps({}, perturbed(GetParam()));
  ASSERT_EQ(rows.size(), 54U);
  EXPECT_GT(worst_error(rows, start_coefficients()), 0.2) << "there is something to learn";
  EXPECT_LT(mean_error(rows, fit_shared(pointers(rows), {}).coefficients), 0.02);
}

// With every step timed ten times the pull weighs little, and no row is far off.
TEST_P(Recovery, OfEachTimeIsWithinTwoPercentWithMoreRows) {
  const auto rows = synthetic_steps({}, perturbed(GetParam()));
  std::vector<const Observation*> timed;
  for (int i = 0; i < 10; ++i) {
    for (const Observation& row : rows) timed.push_back(&row);
  }
  EXPECT_LT(worst_error(rows, fit_shared(timed, {}).coefficients), 0.02);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Recovery, testing::Values(1, 2, 3, 7, 11));

TEST(SharedFit, StaysWhereNothingPulls) {
  const auto rows = synthetic_steps({}, start_coefficients());
  const SharedFit fit = fit_shared(pointers(rows), {});
  for (std::size_t i = 0; i < fit.coefficients.size(); ++i) {
    EXPECT_NEAR(fit.coefficients[i], start_coefficients()[i], 1e-9) << coefficient_table()[i].name;
  }
}

TEST(SharedFit, IsTheSameEveryTime) {
  const auto rows = synthetic_steps({.batches = {16}}, perturbed(7));
  EXPECT_EQ(fit_shared(pointers(rows), {}).coefficients, fit_shared(pointers(rows), {}).coefficients);
}

// The same steps under a version whose host needs twice as long for everything it issues.
TEST(SharedFit, TellsAVersionFromTheUsualOne) {
  const Coefficients usual = start_coefficients();
  Coefficients heavier = usual;
  for (const std::size_t i : {coefficient::host_step, coefficient::host_call, coefficient::host_gradient}) {
    heavier[i] += std::log(2.0);
  }
  auto rows = synthetic_steps({.batches = {2, 8}}, usual);
  auto others = synthetic_steps({.batches = {2, 8}}, heavier);
  for (Observation& row : others) row.software.framework = "older";
  rows.insert(rows.end(), others.begin(), others.end());
  const SharedFit fit = fit_shared(pointers(rows), {});
  EXPECT_NEAR(fit.frameworks.at("older"), std::log(2.0), 0.1);
  EXPECT_EQ(coefficients_for(fit, {.framework = "unheard-of", .library = ""}, nullptr), fit.coefficients);
}

TEST(Departure, FewRowsMoveLittle) {
  const SharedFit shared{.coefficients = start_coefficients()};
  auto rows = synthetic_steps({.gpus = {"t4"}}, shared.coefficients);
  slow_down(rows, 1.3);
  const std::vector<Observation> first(rows.begin(), rows.begin() + 1);
  const std::vector<Observation> others(rows.begin() + 3, rows.end());  // of other networks
  const auto error_after = [&](const std::vector<Observation>& timed) {
    const Coefficients departure = fit_departure(pointers(timed), shared);
    return std::abs(mean_log_error(others, coefficients_for(shared, {}, &departure)));
  };
  EXPECT_EQ(fit_departure({}, shared), Coefficients{});
  EXPECT_LT(error_after(first), std::log(1.3)) << "towards what was timed";
  EXPECT_GT(error_after(first), 0.25 * std::log(1.3)) << "but not all the way";
  EXPECT_LT(error_after(rows), 0.2 * error_after(first));
}

TEST(Departure, ManyRowsRecoverADeviceThatIsSlowerThroughout) {
  const SharedFit shared{.coefficients = start_coefficients()};
  auto rows = synthetic_steps({.gpus = {"t4"}}, shared.coefficients);
  slow_down(rows, 1.3);
  const Coefficients departure = fit_departure(pointers(rows), shared);
  EXPECT_NEAR(mean_log_error(rows, coefficients_for(shared, {}, &departure)), 0, 0.01);
  EXPECT_LT(worst_error(rows, coefficients_for(shared, {}, &departure)), 0.05);

  auto unseen =
      synthetic_steps({.nets = {"resnet34", "vgg11"}, .batches = {16}, .gpus = {"t4"}}, shared.coefficients);
  slow_down(unseen, 1.3);
  EXPECT_LT(worst_error(unseen, coefficients_for(shared, {}, &departure)), 0.08)
      << "networks that were not timed";
}

TEST(Departure, OneWildTimingIsHalfBelievedAtMost) {
  const SharedFit shared{.coefficients = start_coefficients()};
  auto rows = synthetic_steps({.gpus = {"t4"}}, shared.coefficients);
  rows[0].seconds *= 3;
  const Coefficients departure = fit_departure(pointers(rows), shared);
  rows.erase(rows.begin());
  EXPECT_LT(worst_error(rows, coefficients_for(shared, {}, &departure)), 0.2);
  EXPECT_NEAR(mean_log_error(rows, coefficients_for(shared, {}, &departure)), 0, 0.05);
}

}  // namespace
}  // namespace sextant::predict
