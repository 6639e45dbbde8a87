// Machines for training large language models: advice and scaling by tokens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ask_fixture.h"
#include "sextant/ask/advise.h"
#include "sextant/core/error.h"

namespace sextant::ask {
namespace {

using test::known;
using testing::HasSubstr;

AdviseQuestion by_tokens(const std::string& net, double tokens) {
  AdviseQuestion question{.machines = {"aws/p5.48xlarge", "aws/g5.xlarge"}};
  question.plan.job.net.name = net;
  question.plan.decoder.tokens = tokens;
  return question;
}

AdviseAnswer advised_on(const AdviseQuestion& question) {
  NoProgress quiet;
  return advise(question, known(), quiet);
}

std::string refused_advice(const AdviseQuestion& question) {
  try {
    (void)advised_on(question);
  } catch (const InputError& error) {
    return error.message() + " / " + error.hint();
  }
  return "not refused";
}

TEST(AskDecoderPlan, TakesTheCheapestThatEndsInTime) {
  AdviseQuestion question = by_tokens("llama-3-8b", 1e12);
  question.plan.deadline = "30d";
  const AdviseAnswer answer = advised_on(question);
  ASSERT_FALSE(answer.advice.ranked.empty());
  const plan::Offer& first = answer.advice.ranked.front().offer;
  EXPECT_LE(first.time, Seconds{30 * 86400.0});
  EXPECT_EQ(first.pool.machine, "aws/p5.48xlarge") << "a GPU of 24 GB holds no state of 8 billion parameters";
  EXPECT_THAT(first.step.degrees, HasSubstr("dp="));
  // 512 sequences of 8,192 tokens make the 4 Mi tokens of a usual step.
  EXPECT_EQ(first.global_batch, 512);
  const double steps = std::ceil(std::ceil(1e12 / 8192) / 512);
  EXPECT_NEAR((first.time - first.renting.startup).value, steps * first.step.iteration.value, 1);
  // At least 6 FLOP for each parameter and token, at no more than the peak of 16 bits (0.989 PFLOP/s).
  const double least = 6 * 8.03e9 * 1e12 / (static_cast<double>(first.pool.gpus) * 0.989e15);
  EXPECT_GT(first.time.value, least);
  EXPECT_THAT(answer.notes, testing::Contains(HasSubstr("4.19 M tokens together")));
  EXPECT_TRUE(answer.strategies.empty());
}

TEST(AskDecoderPlan, LooksAtHundredsOfMachines) {
  AdviseQuestion question = by_tokens("llama-3-70b", 15e12);
  question.plan.deadline = "60d";
  const AdviseAnswer answer = advised_on(question);
  ASSERT_FALSE(answer.advice.ranked.empty());
  // 6.3e24 FLOP in 60 days are 1.2e18 FLOP/s: more than a thousand H100 at their peak.
  EXPECT_GT(answer.advice.ranked.front().offer.pool.gpus, 1000);
}

TEST(AskDecoderPlan, TunesOnOneGpu) {
  AdviseQuestion question = by_tokens("llama-3-8b", 1e7);
  question.machines = {"aws/g5.xlarge"};
  question.counts = {1};
  EXPECT_TRUE(advised_on(question).advice.ranked.empty());
  question.plan.decoder.finetune = "qlora";
  question.plan.job.net.seq = 2048;
  const AdviseAnswer tuned = advised_on(question);
  ASSERT_EQ(tuned.advice.ranked.size(), 1U);
  EXPECT_EQ(tuned.advice.ranked.front().offer.global_batch, 64);
}

TEST(AskDecoderPlan, SaysWhatCannotBe) {
  AdviseQuestion question = by_tokens("resnet50", 1e9);
  EXPECT_THAT(refused_advice(question), HasSubstr("is no large language model"));
  question = by_tokens("llama-3-8b", 1e9);
  question.samples = 10;
  EXPECT_THAT(refused_advice(question), HasSubstr("leave out `samples`"));
  question = by_tokens("llama-3-8b", 1e300);
  EXPECT_THAT(refused_advice(question), HasSubstr("are no training"));
  question = by_tokens("llama-3-8b", 1e9);
  question.plan.global_batch = 8;
  question.plan.decoder.global_batch_tokens = 1e6;
  EXPECT_THAT(refused_advice(question), HasSubstr("leave out one of the two"));
}

TEST(AskDecoderPlan, ScalesByTokens) {
  ScaleQuestion question{
      .machine = "aws/p5.48xlarge", .tokens = {100'000'000'000, 200'000'000'000}, .most = 8};
  question.plan.job.net.name = "llama-3-8b";
  NoProgress quiet;
  const ScaleAnswers answer = scale(question, known(), quiet);
  ASSERT_EQ(answer.scale.curves.size(), 2U);
  EXPECT_EQ(answer.sequence, 8192);
  EXPECT_EQ(answer.scale.curves[0].samples, 12207032) << "whole sequences of 8,192 tokens";
  const auto& points = answer.scale.curves[0].points;
  ASSERT_GE(points.size(), 4U);
  EXPECT_LT(points.back().offer.time, points.front().offer.time);
  EXPECT_NEAR(answer.scale.curves[1].points.front().offer.time / points.front().offer.time, 2, 0.01);
}

}  // namespace
}  // namespace sextant::ask
