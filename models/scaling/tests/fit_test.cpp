// The law recovers itself: fitted to steps that were computed from it.
#include "sextant/scaling/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "coefficients.h"
#include "error_of.h"
#include "law.h"
#include "synthetic_law.h"

namespace sextant::scaling {
namespace {

using sextant::test::error_of;
using test::known_nets;
using test::known_rows;
using test::known_step;
using testing::HasSubstr;

ScalingModel fitted(const std::vector<ScalingRow>& rows) {
  NoProgress quiet;
  return fit_scaling(rows, {.network_error = false}, quiet);
}

const ScalingModel& known_model() {
  static const ScalingModel model = fitted(known_rows());
  return model;
}

double ratio(const ScalingModel& model, const ScalingRow& row) {
  return predict_step(model, row.at).predicted / row.step;
}

TEST(ScalingFit, MeetsTheStepsOfAKnownLaw) {
  for (const auto& row : known_rows()) {
    EXPECT_NEAR(ratio(known_model(), row), 1, 0.04)
        << row.at.net << " " << row.at.cluster << " " << to_string(row.at.placement) << " " << row.at.batch;
  }
  EXPECT_LT(known_model().errors.fitted, 0.01);
}

// What was put in: sending over three and more nodes costs 0.8 of two, and grows as the 0.2nd power of nodes;
// with GPUs on a node as the 0.3rd power.
TEST(ScalingFit, RecoversCoefficients) {
  namespace c = scaling_coefficient;
  const ScalingModel& model = known_model();
  const auto effect = [&](std::size_t coefficient) {
    return model.shared[coefficient] + model.nets.at("middle").effects[coefficient] +
           model.clusters.at("fast").effects[coefficient] +
           model.cells.at({"middle", "fast"}).effects[coefficient];
  };
  EXPECT_NEAR(effect(c::two_gpus), 0.3, 0.1);
  EXPECT_NEAR(effect(c::many_gpus), 0.3, 0.1);
  EXPECT_NEAR(effect(c::many_nodes), 0.2, 0.1);
  EXPECT_NEAR(effect(c::inside_gpus), 0.5, 0.2);
  EXPECT_NEAR(effect(c::many) - effect(c::two), std::log(0.8), 0.15);
  EXPECT_NEAR(model.clusters.at("slow").effects[c::two] - model.clusters.at("fast").effects[c::two],
              std::log(2), 0.3);
}

TEST(ScalingFit, AnswersForLargerPlacements) {
  for (const auto& net : known_nets()) {
    for (const char* text : {"8888", "444444", "22222222"}) {
      const jobs::Placement at = jobs::parse_placement(text);
      const ScalingRow row{{net.name, "fast", at, 32}, known_step(net, false, at, 32)};
      EXPECT_NEAR(ratio(known_model(), row), 1, 0.1) << net.name << " " << text;
      EXPECT_TRUE(predict_step(known_model(), row.at).extrapolating);
    }
  }
}

TEST(ScalingFit, OneGpuHasNoSynchronisation) {
  const ScaledStep step = predict_step(known_model(), {"large", "fast", jobs::parse_placement("1"), 16});
  EXPECT_NEAR(step.predicted.value, 0.150 + 16 * 0.010, 0.01);
  EXPECT_EQ(step.compute, step.predicted);
  EXPECT_EQ(step.communication, Seconds{0});
  EXPECT_FALSE(step.extrapolating);
}

TEST(ScalingFit, ASlowerLinkAndALargerBatchNeverHelp) {
  for (const char* text : {"1", "4", "22", "444", "4444"}) {
    const jobs::Placement at = jobs::parse_placement(text);
    Seconds last{0};
    for (const double batch : {8, 16, 32, 64}) {
      const ScaledStep fast = predict_step(known_model(), {"middle", "fast", at, batch});
      EXPECT_GT(fast.predicted, last) << text << " " << batch;
      EXPECT_GT(predict_step(known_model(), {"middle", "slow", at, batch}).predicted, fast.predicted);
      EXPECT_LT(fast.low, fast.predicted);
      EXPECT_GT(fast.high, fast.predicted);
      last = fast.predicted;
    }
  }
}

TEST(ScalingFit, ANetworkIsAddedFromItsOneGpuSteps) {
  std::vector<ScalingRow> others;
  std::vector<ScalingRow> single;
  for (const auto& row : known_rows()) {
    if (row.at.net != "middle") others.push_back(row);
    if (row.at.net == "middle" && row.at.placement.total() == 1) single.push_back(row);
  }
  const ScalingModel before = fitted(others);
  EXPECT_THAT(error_of([&] { predict_step(before, single.front().at); }), HasSubstr("no network 'middle'"));
  const ScalingModel after = adapt_scaling(before, single);
  for (const auto& row : known_rows()) {
    if (row.at.net != "middle") {
      EXPECT_DOUBLE_EQ(ratio(after, row), ratio(before, row)) << "what was known stays";
      continue;
    }
    const ScaledStep step = predict_step(after, row.at);
    EXPECT_NEAR(step.predicted / row.step, 1, row.at.placement.total() == 1 ? 0.02 : 0.45)
        << to_string(row.at.placement);
    EXPECT_LE(step.low, row.step);
    EXPECT_GE(step.high, row.step);
  }
}

// However little a network that was never timed on several GPUs may send, its compute stays: the interval
// bends.
TEST(ScalingFit, TheIntervalOfANewNetworkRestsOnItsCompute) {
  std::vector<ScalingRow> others;
  std::vector<ScalingRow> single;
  for (const auto& row : known_rows()) {
    if (row.at.net != "middle") others.push_back(row);
    if (row.at.net == "middle" && row.at.placement.total() == 1) single.push_back(row);
  }
  const ScalingModel model = adapt_scaling(fitted(others), single);
  for (const char* placement : {"4", "44", "222"}) {
    const ScaledStep step = predict_step(model, {"middle", "slow", jobs::parse_placement(placement), 64});
    EXPECT_GT(step.low / step.compute, 0.6) << placement;
    EXPECT_LT(step.low, step.predicted);
    EXPECT_GT(step.high / step.predicted, step.predicted / step.low) << "it may send far more";
  }
}

TEST(ScalingFit, IsTheSameToTheByte) {
  EXPECT_EQ(to_json(fitted(known_rows())).dump(), to_json(known_model()).dump());
}

TEST(ScalingFit, CopesWithLittleAndWithWildRows) {
  EXPECT_THAT(error_of([] { fitted({}); }), HasSubstr("too few"));
  auto rows = known_rows();
  rows.resize(12);
  for (auto& row : rows) row.step = rows.front().step;  // constant
  EXPECT_NEAR(ratio(fitted(rows), rows.back()), 1, 0.1);
  rows = known_rows();
  for (std::size_t i = 0; i < rows.size(); i += 40) rows[i].step = 30 * rows[i].step;
  const ScalingModel wild = fitted(rows);
  EXPECT_NEAR(ratio(wild, known_rows()[5]), 1, 0.1) << "a few disturbed steps do not move the law";
  rows.front().step = Seconds{-1};
  EXPECT_THAT(error_of([&] { fitted(rows); }), HasSubstr("no time"));
}

// Two nodes of two GPUs: a ring of four sends 1.5 times what one of two does, so 0.1 + 1.5 * 0.2 = 0.4 s
// beside 0.3 s of compute; with exponent 2 the step takes 0.5 s.
TEST(ScalingLaw, SumsWithinNodesAndThenBetweenThem) {
  const LawInputs in{.fixed = std::log(0.3),
                     .sample = -60,
                     .inside = std::log(0.1),
                     .outside = std::log(0.2),
                     .start = -60,
                     .overlap = 0};
  const auto seconds = [&](const char* placement) {
    return std::exp(law(in, 0, links_of(jobs::parse_placement(placement))).log_time);
  };
  EXPECT_NEAR(seconds("22"), 0.5, 1e-9);
  EXPECT_NEAR(seconds("4"), std::hypot(0.3, 0.1), 1e-9) << "one node sends nothing outside";
  EXPECT_NEAR(seconds("11"), std::hypot(0.3, 0.2), 1e-9) << "and one GPU each nothing inside";
  EXPECT_NEAR(seconds("1"), 0.3, 1e-9);
}

// Each derivative against a difference.
TEST(ScalingLaw, DerivativesAgreeWithDifferences) {
  const LawInputs at{-2, -5, 0.1, -0.5, -1.5, -1, 0.3, 0.4};
  const Links links{Reach::both, 0.2};
  const double step = 1e-6;
  LawInputs slope = law(at, 2, links).slope;
  for (const Part part : {Part::fixed, Part::sample, Part::compute, Part::sync, Part::inside, Part::outside,
                          Part::start, Part::overlap}) {
    LawInputs up = at;
    LawInputs down = at;
    part_of(up, part) += step;
    part_of(down, part) -= step;
    const double difference = (law(up, 2, links).log_time - law(down, 2, links).log_time) / (2 * step);
    EXPECT_NEAR(part_of(slope, part), difference, 1e-7) << static_cast<int>(part);
  }
}

}  // namespace
}  // namespace sextant::scaling
