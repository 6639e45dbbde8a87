// Training of large language models through the question that every front end asks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ask_fixture.h"
#include "sextant/ask/advise.h"
#include "sextant/ask/predict.h"
#include "sextant/core/error.h"

namespace sextant::ask {
namespace {

using test::known;
using testing::HasSubstr;

PredictQuestion eight_h100(const std::string& net) {
  PredictQuestion question{.job = {.net = {.name = net}, .precision = "bf16"}, .gpus = {"h100-sxm-80gb"}};
  question.layout.counts = {8};
  question.job.net.seq = 4096;
  question.decoder.global_batch = 128;
  return question;
}

Answer only_answer(const PredictQuestion& question) {
  const PredictAnswers answers = predict(question, known());
  EXPECT_EQ(answers.list.size(), 1U);
  return answers.list.at(0);
}

std::string refused(const PredictQuestion& question) {
  try {
    predict(question, known());
  } catch (const InputError& error) {
    return error.message();
  }
  return "not refused";
}

TEST(AskDecoder, FindsALayoutThatFits) {
  const Answer answer = only_answer(eight_h100("llama-3-8b"));
  ASSERT_TRUE(answer.decoder);
  EXPECT_TRUE(answer.prediction.fits);
  EXPECT_NE(answer.decoder->fit, llm::Fit::does_not_fit);
  // Published steps of 8 B decoders on eight H100 in bf16 lie between 35 and 60 % of the peak.
  EXPECT_GT(answer.decoder->mfu, 0.25);
  EXPECT_LT(answer.decoder->mfu, 0.7);
  const double tokens = 128.0 * 4096 / 8 / answer.prediction.iteration.value;
  EXPECT_NEAR(answer.decoder->tokens_per_second_per_gpu, tokens, 1e-6 * tokens);
  EXPECT_THAT(answer.prediction.notes, testing::Contains(HasSubstr("is the fastest that fits")));
}

TEST(AskDecoder, TakesTheLayoutThatIsGiven) {
  PredictQuestion question = eight_h100("llama-3-8b");
  question.decoder.layout = "tp=2,dp=4,zero=1,recompute=full,micro=2";
  const Answer given = only_answer(question);
  EXPECT_THAT(given.prediction.degrees, HasSubstr("tp=2"));
  EXPECT_EQ(given.decoder->micro_batch, 2);
  question.decoder.layout = "auto";
  EXPECT_LE(only_answer(question).prediction.iteration, given.prediction.iteration);
}

TEST(AskDecoder, TokensGiveTheWholeJob) {
  PredictQuestion question = eight_h100("llama-3-8b");
  question.decoder.tokens = 128.0 * 4096 * 1000;
  const Answer answer = only_answer(question);
  ASSERT_TRUE(answer.total_time());
  EXPECT_NEAR(answer.total_time()->value, 1000 * answer.prediction.iteration.value, 1e-6);
}

TEST(AskDecoder, IsTrainedInBf16UnlessSaidOtherwise) {
  PredictQuestion question = eight_h100("llama-3-8b");
  question.job.precision.reset();
  const Answer answer = only_answer(question);
  EXPECT_EQ(answer.job.precision, Precision::bf16);
  EXPECT_EQ(answer.job.optimizer, jobs::Optimizer::adamw);
}

TEST(AskDecoder, CountsTheBatchInTokens) {
  PredictQuestion question = eight_h100("llama-3-8b");
  question.decoder.global_batch.reset();
  question.decoder.global_batch_tokens = 128.0 * 4096;
  const Answer answer = only_answer(question);
  EXPECT_EQ(answer.decoder->global_batch, 128);
  EXPECT_EQ(answer.decoder->tokens_per_second, 8 * answer.decoder->tokens_per_second_per_gpu);
  question.decoder.global_batch_tokens.reset();
  question.decoder.layout = "dp=8,zero=3,micro=2,accum=5";
  EXPECT_EQ(only_answer(question).decoder->global_batch, 80);
  EXPECT_EQ(only_answer(question).decoder->accumulation, 5);
}

TEST(AskDecoder, OptimizerAndPrecisionChangeTheState) {
  PredictQuestion question = eight_h100("llama-3-8b");
  question.decoder.layout = "dp=8,zero=0,recompute=full,micro=1";
  const Bytes adam = only_answer(question).prediction.memory.optimizer;
  question.job.optimizer = "adam-8bit";
  EXPECT_LT(only_answer(question).prediction.memory.optimizer, 0.6 * adam) << "2 bytes and 4 against 8 and 4";
  question.job.optimizer = "adamw";
  question.job.precision = "bf16-pure";
  EXPECT_NEAR(only_answer(question).prediction.memory.optimizer / adam, 4.0 / 12, 1e-6) << "no fp32 weights";
}

TEST(AskDecoder, TunesWithFrozenWeights) {
  PredictQuestion question = eight_h100("llama-3-8b");
  question.layout.counts = {1};
  question.decoder.global_batch = 16;
  const Answer whole = only_answer(question);
  EXPECT_FALSE(whole.prediction.fits) << "18 bytes for each of 8 billion parameters";
  question.decoder.finetune = "qlora:rank=16,on=all";
  const Answer tuned = only_answer(question);
  EXPECT_TRUE(tuned.prediction.fits);
  EXPECT_THAT(tuned.prediction.notes, testing::Contains(HasSubstr("41.9 M parameters are trained")));
  question.decoder.finetune = "lora:rank=many";
  EXPECT_THAT(refused(question), HasSubstr("a rank of 'many'"));
}

TEST(AskDecoder, SaysWhatCannotBe) {
  PredictQuestion question = eight_h100("resnet50");
  EXPECT_THAT(refused(question), HasSubstr("is no large language model"));
  question = eight_h100("llama-3-8b");
  question.job.precision = "fp32";
  EXPECT_THAT(refused(question), HasSubstr("16 bits or less"));
  question = eight_h100("llama-3-8b");
  question.decoder.layout = "tp=3,dp=2";
  EXPECT_THAT(refused(question), HasSubstr("devices"));
  question.decoder.layout = "dp=8,micro=3";
  EXPECT_THAT(refused(question), HasSubstr("do not make up a step of 128 sequences"));
  question.decoder.layout = "tp=8,pp=64";
  EXPECT_THAT(refused(question), HasSubstr("devices"));
  question.decoder.layout = "speed=9";
  EXPECT_THAT(refused(question), HasSubstr("speed"));
  question.decoder.layout = "auto";
  question.job.stack = "tensorflow-2.5";
  EXPECT_THAT(refused(question), HasSubstr("is not known to train large language models"));
}

TEST(AskDecoder, KnowsItsStacksAndRefusesWhatItDoesNotUse) {
  PredictQuestion question = eight_h100("llama-3-8b");
  for (const char* stack : {"megatron", "fsdp", "torchtitan", "llm-foundry", "nanotron"}) {
    question.job.stack = stack;
    EXPECT_GT(only_answer(question).decoder->mfu, 0.2) << stack;
  }
  question.job.stack = "pytorch";
  question.layout.strategies = {"pipeline"};
  EXPECT_THAT(refused(question), HasSubstr("has a layout, not a strategy"));
  question.layout.strategies = {"data"};
  question.model.predictor = "roofline";
  EXPECT_THAT(refused(question), HasSubstr("by laws of their own"));
}

TEST(AskDecoder, AdviceRefusesWhatItDoesNotUse) {
  const auto refused_advice = [](void (*spoil)(PlanFields&)) -> std::string {
    AdviseQuestion question{.samples = 1000, .machines = {"aws/p5.48xlarge"}, .counts = {1}};
    question.plan.job.net.name = "llama-3-8b";
    spoil(question.plan);
    NoProgress progress;
    try {
      advise(question, known(), progress);
    } catch (const InputError& error) {
      return error.where().file;
    }
    return "not refused";
  };
  EXPECT_EQ(refused_advice([](PlanFields& plan) { plan.model.predictor = "roofline"; }), "predictor");
  EXPECT_EQ(refused_advice([](PlanFields& plan) { plan.strategies = {"pipeline"}; }), "strategy");
  EXPECT_EQ(refused_advice([](PlanFields& plan) { plan.batch = 8; }), "batch");
}

TEST(AskDecoder, WritingRefusesWhatIsForTraining) {
  PredictQuestion question = eight_h100("llama-3-8b");
  question.job.mode = "infer";
  EXPECT_THAT(refused(question), HasSubstr("for training, not for inference"));
  question.decoder = {};
  EXPECT_EQ(refused(question), "not refused");
}

// Networks that read images have no sequence, whatever their parts are.
TEST(AskDecoder, NetworksOfImagesAreAnsweredInHalfPrecision) {
  for (const char* net : {"vit-b-16", "swin-t", "resnet18"}) {
    PredictQuestion question{.job = {.net = {.name = net}, .precision = "fp16"}, .gpus = {"a100-sxm4-40gb"}};
    EXPECT_GT(only_answer(question).prediction.iteration, Seconds{0}) << net;
  }
}

TEST(AskDecoder, ARowOfCasesGetsTheAnswerOfTheCommand) {
  const CsvTable table =
      CsvTable::parse("net,gpu,count,batch,seq,precision\nllama-3-8b,h100,8,32,4096,bf16\n", "cases.csv");
  PredictQuestion question = eight_h100("llama-3-8b");
  question.decoder.global_batch = 8 * 32;
  const Answer command = only_answer(question);
  const predict::CaseAnswer row = predict_cases({}, table, known()).row(0);
  EXPECT_EQ(row.predicted, command.prediction.iteration);
  EXPECT_EQ(row.fits, command.prediction.fits);
}

TEST(AskDecoder, KnowsWhatDevicesCannotDo) {
  PredictQuestion question = eight_h100("llama-3-8b");
  question.gpus = {"k80"};
  EXPECT_THAT(refused(question), HasSubstr("no matrix units for 16 bits"));
  question.gpus = {"v100-sxm2-32gb"};
  const Answer volta = only_answer(question);
  EXPECT_THAT(volta.prediction.outside, testing::Contains(HasSubstr("has no bf16")));
  EXPECT_LT(volta.decoder->mfu, 1);
  question = eight_h100("llama-3-8b");
  question.job.net.seq = 16384;
  EXPECT_THAT(only_answer(question).prediction.outside, testing::Contains(HasSubstr("at most 8192 tokens")));
}

TEST(AskDecoder, ANetworkThatFitsNowhereSaysWhatItLacks) {
  const Answer answer = only_answer(eight_h100("llama-3.1-405b"));
  EXPECT_FALSE(answer.prediction.fits);
  EXPECT_THAT(answer.prediction.notes, testing::Contains(HasSubstr("needs least")));
  EXPECT_THAT(answer.prediction.notes, testing::Contains(HasSubstr("it fits on ")));
  EXPECT_FALSE(predict(eight_h100("llama-3.1-405b"), known()).feasible);
}

// Rows of other tables get what the command line would take: the trained length, and bf16.
TEST(AskDecoder, RowsByNetworkTakeTheSameDefaults) {
  PredictQuestion question = eight_h100("llama-3-8b");
  question.job.precision.reset();
  question.job.net.seq.reset();
  question.decoder = {};
  question.batches = {2};
  const Answer answer = only_answer(question);
  const CsvTable table = CsvTable::parse(
      "net,gpu,count,batch,seq,precision\nllama-3-8b,h100-sxm-80gb,8,2,,\n"
      "llama-3-8b,h100-sxm-80gb,8,2,8192,bf16\n",
      "jobs.csv");
  const predict::CaseAnswers answers = predict_cases({}, table, known());
  EXPECT_EQ(answers.row(0).error, "");
  EXPECT_EQ(answers.row(0).predicted.value, answer.prediction.iteration.value);
  EXPECT_EQ(answers.row(0).predicted.value, answers.row(1).predicted.value);
}

TEST(AskDecoder, AccumulationThatContradictsTheBatchIsRefused) {
  PredictQuestion question = eight_h100("llama-3-8b");
  question.decoder.layout = "dp=8,micro=1,accum=4";
  EXPECT_THAT(refused(question), HasSubstr("makes steps of 32 sequences"));
  question.decoder.layout = "dp=8,micro=1,accum=16";
  EXPECT_EQ(only_answer(question).decoder->global_batch, 128);
}

TEST(AskDecoder, SaysWhatItTakesForGranted) {
  PredictQuestion question = eight_h100("llama-3-8b");
  EXPECT_THAT(only_answer(question).prediction.notes, testing::Contains(HasSubstr("a Megatron of today")));
  question.layout.counts = {16};
  EXPECT_THAT(only_answer(question).prediction.notes,
              testing::Contains(HasSubstr("400 Gb/s to other nodes")));
}

// More sequences than find room wait for their turn: that is no lack of memory.
TEST(AskDecoder, AQueueThatIsTooLongStillFits) {
  PredictQuestion question{.job = {.net = {.name = "llama-3-8b"}, .mode = "infer", .precision = "bf16"},
                           .gpus = {"h100-sxm-80gb"}};
  question.generation.prompt = 4096;
  question.batches = {4096};
  const Answer waits = only_answer(question);
  ASSERT_TRUE(waits.generation);
  EXPECT_TRUE(waits.prediction.fits);
  EXPECT_EQ(waits.generation->fit, llm::Fit::fits);
  EXPECT_LT(waits.generation->at_once, 4096);
  EXPECT_THAT(waits.prediction.notes, testing::Contains(HasSubstr("the others wait for their turn")));
  EXPECT_LE(waits.prediction.memory.total(), llm::usable_memory(known().gpus.get("h100-sxm-80gb")));
  question.job.net.name = "llama-3-70b";
  EXPECT_FALSE(only_answer(question).prediction.fits);  // not even the weights
}

TEST(AskDecoder, RowsOfATableAreAnsweredOneByOne) {
  const CsvTable table = CsvTable::parse(
      "model,gpu,gpus,seq_len,precision,micro_batch,global_batch,dp,tp,framework\n"
      "llama-3-8b,h100-sxm-80gb,8,8192,bf16,1,128,4,2,Megatron-Bridge\n"
      "llama-3-8b,h100-sxm-80gb,8,8192,bf16,1,128,3,2,Megatron-Bridge\n"
      "nobody,h100-sxm-80gb,8,8192,bf16,1,128,4,2,Megatron-Bridge\n",
      "steps.csv");
  ASSERT_TRUE(names_decoders(table));
  const predict::CaseAnswers answers = predict_decoder_cases({}, table, known());
  EXPECT_EQ(answers.row(0).error, "");
  ASSERT_TRUE(answers.row(0).tokens);
  EXPECT_GT(answers.row(0).tokens->mfu, 0.1);
  EXPECT_TRUE(answers.row(0).fits);
  EXPECT_THAT(answers.row(1).error, HasSubstr("6 devices"));
  EXPECT_THAT(answers.row(2).error, HasSubstr("nobody"));
}

}  // namespace
}  // namespace sextant::ask
