#include "stepwise.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "hald.h"
#include "linear_regressor.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"

namespace sextant::learn {
namespace {

stats::Design hald_design() {
  const Sample sample = test::hald();
  return {.x = sample.x, .y = sample.y};
}

std::vector<std::size_t> selected(double p_enter, double p_remove, StepwiseCandidate candidate) {
  return select_stepwise(hald_design(), {.p_enter = p_enter, .p_remove = p_remove, .candidate = candidate});
}

double rss_of(const std::vector<std::size_t>& columns) {
  stats::Design design = hald_design();
  design.x = design.x.select_columns(columns);
  return fit_ols(design).rss;
}

using Columns = std::vector<std::size_t>;  // from 0

// Partial F: x4 (F 22.8), then x1 (F 108.2); x2 has p = 0.0517.
TEST(Stepwise, HaldByPartialF) {
  const Columns strict = selected(0.05, 0.10, StepwiseCandidate::partial_f);
  EXPECT_EQ(strict, (Columns{3, 0}));
  EXPECT_NEAR(rss_of(strict), 74.762, 5e-4);
  // At 0.10 x2 enters too, and then x4 (p = 0.205) leaves.
  const Columns wide = selected(0.10, 0.10, StepwiseCandidate::partial_f);
  EXPECT_EQ(wide, (Columns{0, 1}));
  EXPECT_NEAR(rss_of(wide), 57.904, 5e-4);
}

// The third candidate is x3 here: its correlation with the residuals is the largest (p = 0.0697).
TEST(Stepwise, HaldByResidualCorrelation) {
  EXPECT_EQ(selected(0.05, 0.10, StepwiseCandidate::residual_correlation), (Columns{3, 0}));
  const Columns wide = selected(0.10, 0.10, StepwiseCandidate::residual_correlation);
  EXPECT_EQ(wide, (Columns{3, 0, 2}));
  EXPECT_NEAR(rss_of(wide), 50.836, 5e-4);
}

TEST(Stepwise, TheMethodGivesCoefficientsInTheUnitsOfTheData) {
  const MethodInfo& method = methods().get("stepwise");
  const auto fitted = [&](double p_enter) {
    const MethodSettings settings = {
        {"degree", 0}, {"p-enter", p_enter}, {"p-remove", 0.1}, {"relative", 0}, {"residual-correlation", 0}};
    return method.fit(test::hald(), with_settings(method, settings), 0);
  };
  const auto strict = fitted(0.05);
  const auto at = [](const Regressor& r, double x1, double x2, double x4) {
    return r.predict(std::vector<double>{x1, x2, 0, x4});
  };
  EXPECT_NEAR(at(*strict, 0, 0, 0), 103.0974, 5e-5);
  EXPECT_NEAR(at(*strict, 0, 0, 1) - at(*strict, 0, 0, 0), -0.6140, 5e-5);
  EXPECT_NEAR(at(*strict, 1, 0, 0) - at(*strict, 0, 0, 0), 1.4400, 5e-5);
  const auto wide = fitted(0.10);
  EXPECT_NEAR(at(*wide, 0, 0, 0), 52.5773, 5e-5);
  EXPECT_NEAR(at(*wide, 1, 0, 0) - at(*wide, 0, 0, 0), 1.4683, 5e-5);
  EXPECT_NEAR(at(*wide, 0, 1, 0) - at(*wide, 0, 0, 0), 0.6623, 5e-5);
  EXPECT_NEAR(at(*wide, 10, 50, 0), 100.3729, 5e-5);
}

TEST(Stepwise, NothingEntersWhenNothingHelps) {
  Rng rng = Rng(1).stream("noise");
  stats::Design design{.x = stats::Matrix(30, 2), .y = std::vector<double>(30)};
  for (std::size_t i = 0; i < 30; ++i) {
    design.x(i, 0) = rng.normal();
    design.x(i, 1) = rng.normal();
    design.y[i] = rng.normal();
  }
  EXPECT_TRUE(select_stepwise(design, {.p_enter = 1e-6, .p_remove = 0.1}).empty());
  // ... and a constant response has nothing to explain.
  design.y.assign(30, 4.0);
  EXPECT_TRUE(select_stepwise(design, {}).empty());
}

TEST(Stepwise, ACollinearColumnNeverEnters) {
  stats::Design design = hald_design();
  stats::Matrix wider(13, 5);
  for (std::size_t i = 0; i < 13; ++i) {
    for (std::size_t j = 0; j < 4; ++j) wider(i, j) = design.x(i, j);
    wider(i, 4) = 3 * design.x(i, 3) - 1;
  }
  design.x = wider;
  EXPECT_EQ(select_stepwise(design, {}), (Columns{3, 0}));
}

// An exact law of three terms: nothing is selected on top of it from rounding errors.
TEST(Stepwise, AnExactLawIsSelectedAloneAndUsesFewRows) {
  Rng rng = Rng(2).stream("exact");
  stats::Design design{.x = stats::Matrix(12, 20), .y = std::vector<double>(12)};
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = 0; j < 20; ++j) design.x(i, j) = rng.normal();
    design.y[i] = 7 + 1000 * design.x(i, 11);
  }
  EXPECT_EQ(select_stepwise(design, {}), (Columns{11}));
}

TEST(Stepwise, ThresholdsThatWouldCycleAreRefused) {
  const auto error =
      sextant::test::error_of([] { return selected(0.10, 0.05, StepwiseCandidate::partial_f); });
  EXPECT_NE(error.find("p-remove of at least p-enter"), std::string::npos) << error;
}

}  // namespace
}  // namespace sextant::learn
