#include "study_knowledge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "error_of.h"
#include "sextant/core/text.h"
#include "small_study.h"

namespace sextant::study {
namespace {

// A model of this program that believes in x = 700, give or take a factor of two.
OwnAnswer answer(const std::vector<std::string>& args, const Interrupted&) {
  const double x = to_number(args.at(2)).value();
  const double value = 1 + std::abs(x - 700) / 100;
  return {.rows = {{.numbers = {{"iteration_s", value}, {"low_s", value / 2}, {"high_s", value * 2}},
                    .truths = {{"fits", true}}}}};
}

class StudyKnowledge : public testing::Test {
 protected:
  [[nodiscard]] StudySpec study(const std::string& strategy) const {
    return test::study_of(folder_, "strategy = \"" + strategy + "\"\nprior = \"net {x}\"",
                          "[budget]\ntrials = 2\n[evaluator]\nrun = \"echo loss: {x}\"\n");
  }
  TemporaryFolder folder_;
};

TEST_F(StudyKnowledge, APriorHasTheWidthOfThePredictionsInterval) {
  const StudySpec spec = study("sextant");
  const explore::Prior prior = prior_of(spec, answer);
  const std::optional<explore::PriorBelief> belief = prior(explore::Configuration{{600}});
  ASSERT_TRUE(belief);
  EXPECT_DOUBLE_EQ(belief->value, 2);
  EXPECT_NEAR(belief->log_sd, std::log(4.0) / 3.29, 1e-12);
}

TEST_F(StudyKnowledge, TheSearchStartsWhereThePriorIsBest) {
  StudyRunOptions options = test::options_in(folder_);
  options.own.within = answer;
  const auto store = open_study_store((folder_.path() / "s.sqlite").string());
  NoProgress progress;
  const StudySpec spec = study("sextant");
  const StudyOutcome outcome = run_study(spec, *store, options, progress);
  ASSERT_FALSE(outcome.trials.empty());
  EXPECT_EQ(outcome.trials[0].levels.at(0), "700");
}

TEST_F(StudyKnowledge, WhatPredictCannotAnswerIsNotBelieved) {
  const StudySpec spec = study("sextant");
  const OwnAnswer refused{.exit_code = 2, .errors = "unknown network"};
  const explore::Prior prior =
      prior_of(spec, [&](const std::vector<std::string>& args, const Interrupted& interrupted) {
        return args.at(2) == "600" ? refused : answer(args, interrupted);
      });
  EXPECT_FALSE(prior(explore::Configuration{{600}}));
  EXPECT_TRUE(prior(explore::Configuration{{601}}));
  EXPECT_EQ(
      sextant::test::error_of([&] { prior_of(spec, [&](const auto&, const auto&) { return refused; }); }),
      "prior: error: predict refuses the question: exit 2: unknown network");
}

}  // namespace
}  // namespace sextant::study
