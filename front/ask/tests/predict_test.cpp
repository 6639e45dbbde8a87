// Questions about predictions: order, ranking, what is impossible, and fields that contradict each other.
#include "sextant/ask/predict.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "ask_fixture.h"
#include "temporary_folder.h"

namespace sextant::ask {
namespace {

using test::known;
using testing::ElementsAre;
using testing::HasSubstr;

PredictQuestion resnet(std::vector<std::string> gpus) {
  return {.job = {.net = {"resnet50"}}, .gpus = std::move(gpus)};
}

TEST(AskPredict, AnswersComeInTheOrderAsked) {
  PredictQuestion question = resnet({"t4", "k80"});
  question.batches = {64, 16};
  const PredictAnswers answers = predict(question, known());
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const Answer& a : answers.list) order.emplace_back(a.job.sizes.batch, a.gpu);
  EXPECT_THAT(order, ElementsAre(std::pair(64, "t4"), std::pair(64, "k80"), std::pair(16, "t4"),
                                 std::pair(16, "k80")));
  EXPECT_GT(answers.list[0].prediction.iteration, answers.list[2].prediction.iteration);
  EXPECT_FALSE(answers.list[0].price) << "a GPU alone is not for rent";
}

// Three timings on an A100, far faster than predicted: an H100 stays ahead of it, and the answer says what
// the two rest on.
TEST(AskPredict, TimingsOnOneGpuDoNotTurnTheRankingAround) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "timed.csv").string();
  std::ofstream(path) << "net,gpu,batch,measured_ms\nresnet50,a100,32,30\nresnet50,a100,64,55\n"
                         "resnet18,a100,32,12\n";
  PredictQuestion question = resnet({"a100", "h100"});
  question.batches = {64, 128};
  question.job.precision = "tf32";
  question.model.measured = path;
  const PredictAnswers answers = predict(question, known());
  for (const std::size_t at : {0U, 2U})
    EXPECT_GT(answers.list[at].prediction.iteration, answers.list[at + 1].prediction.iteration) << at;
  EXPECT_EQ(answers.list[0].prediction.evidence, predict::Evidence::timed);
  EXPECT_EQ(answers.list[2].prediction.evidence, predict::Evidence::device);
  EXPECT_EQ(answers.list[3].prediction.evidence, predict::Evidence::carried);
  EXPECT_THAT(answers.warnings,
              testing::Contains(HasSubstr("the timings were made on a100-sxm4-40gb; for h100")));
}

// A model of the tests of `nets`, as somebody might have called it.
class OwnFile {
 public:
  OwnFile(const std::string& model, const std::string& name) : path_(folder_.path() / name) {
    const std::filesystem::path models = std::string(SEXTANT_SOURCE_DIR) + "/facts/nets/tests/onnx";
    std::filesystem::copy_file(models / (model + ".onnx"), path_);
  }
  [[nodiscard]] PredictQuestion question() const {
    return {.job = {.net = {path_.string()}}, .gpus = {"v100"}, .batches = {2}};
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

TEST(AskPredict, AFileIsItsOwnNetworkWhateverItIsCalled) {
  const OwnFile stranger("tiny_encoder", "vit_b_16.onnx");
  const OwnFile namesake("tiny_encoder", "resnet18.onnx");
  const Answer first = predict(stranger.question(), known()).list.at(0);
  const Answer second = predict(namesake.question(), known()).list.at(0);
  EXPECT_EQ(first.prediction.iteration, second.prediction.iteration);
  EXPECT_EQ(first.prediction.interval.high, second.prediction.interval.high);
  PredictQuestion many = stranger.question();
  many.layout.counts = {2};
  EXPECT_EQ(predict(many, known()).list.size(), 1U) << "strategies find it too";
}

TEST(AskPredict, WhatIsNotKnownLeavesNoUpperEnd) {
  const Answer answer = predict(OwnFile("unknown_operators", "mine.onnx").question(), known()).list.at(0);
  EXPECT_GT(answer.prediction.iteration, Seconds{});
  EXPECT_FALSE(answer.prediction.interval.high);
  EXPECT_EQ(answer.prediction.interval.low, answer.prediction.iteration) << "it takes at least that";
  EXPECT_FALSE(answer.prediction.warnings.empty());
}

TEST(AskPredict, SeveralGpusKeepTheBoundToo) {
  const OwnFile file("unknown_operators", "mine.onnx");
  PredictQuestion question = file.question();
  question.layout.counts = {4};
  const predict::Prediction p = predict(question, known()).list.at(0).prediction;
  EXPECT_EQ(p.interval.low, p.iteration);
}

TEST(AskPredict, ARankingPassesOverGpusThatTheSoftwareDoesNotRunOn) {
  PredictQuestion question{.job = {.net = {"resnet50"}}, .machines = {"all"}};
  const PredictAnswers all = predict(question, known());
  for (const Answer& answer : all.list) EXPECT_NE(answer.gpu, "radeon-pro-v520");
  EXPECT_THAT(all.warnings, testing::Contains(HasSubstr("pytorch is not known to run on these")));
  const PredictAnswers asked = predict(resnet({"radeon-pro-v520", "v100"}), known());
  EXPECT_EQ(asked.list.size(), 2U) << "who names it gets an answer";
  EXPECT_THAT(asked.warnings, testing::Contains("pytorch is not known to run on radeon-pro-v520"));
}

TEST(AskPredict, SaysWhyAnAnswerIsOutsideAndWhatWouldBeInside) {
  const PredictAnswers answers = predict(resnet({"a100", "t4"}), known());
  EXPECT_THAT(answers.notes, testing::Contains(testing::AllOf(
                                 HasSubstr("less certain because pytorch-2.1 was fitted on"),
                                 HasSubstr("not on resnet, but `stack` pytorch-1.x or tensorflow-2.5 was"))));
  PredictQuestion inside = resnet({"t4"});
  inside.job.stack = "tensorflow";
  for (const std::string& note : predict(inside, known()).notes)
    EXPECT_THAT(note, testing::Not(HasSubstr("less certain")));
}

TEST(AskPredict, SaysWhichFormatTheTimesAreFor) {
  PredictQuestion bert = resnet({"a100"});
  bert.job.net.name = "bert-base";
  EXPECT_THAT(predict(bert, known()).notes, testing::Contains(HasSubstr("the times are for fp32")));
  EXPECT_THAT(predict(resnet({"a100"}), known()).notes,
              testing::Contains(HasSubstr("convolutions in fp32 run as tf32 on GPUs that can")));
  EXPECT_THAT(predict(resnet({"k80"}), known()).notes,
              testing::Not(testing::Contains(HasSubstr("fp32, which"))))
      << "it has no tensor cores";
  PredictQuestion tensorflow = resnet({"a100"});
  tensorflow.job.stack = "tensorflow";
  EXPECT_THAT(predict(tensorflow, known()).notes,
              testing::Contains("with tensorflow-2.5, fp32 runs as tf32 on GPUs that can"));
}

// What a file of timings leaves open, a number format above all, is the question's: that is said.
TEST(AskPredict, SaysWhatItTakesForGrantedOfTimings) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "timed.csv";
  PredictQuestion question = resnet({"v100"});
  question.model.measured = file.string();
  std::ofstream(file) << "net,gpu,batch,measured_ms\nresnet50,v100,64,190\n";
  EXPECT_THAT(predict(question, known()).reading,
              testing::ElementsAre(testing::EndsWith(
                  "does not say of its steps is taken from the question: precision fp32, stack pytorch")));
  std::ofstream(file) << "net,gpu,batch,precision,stack,measured_ms\nresnet50,v100,64,fp32,pytorch,190\n";
  EXPECT_THAT(predict(question, known()).reading, testing::IsEmpty());
  std::ofstream(file) << "net,gpu,batch,precision,stack,measured_ms\nresnet50,v100,64,,pytorch,190\n";
  EXPECT_THAT(predict(question, known()).reading, testing::Contains(HasSubstr("precision fp32")));
}

TEST(AskPredict, NamesAreRecognisedAndMistakesAreMet) {
  for (const char* name : {"ResNet-50", "resnet-50", "RESNET_50"})
    EXPECT_EQ(predict({.job = {.net = {name}}, .gpus = {"t4"}}, known()).list.at(0).job.net, "resnet50");
  const auto hint_of = [](PredictQuestion question) {
    try {
      (void)predict(question, known());
    } catch (const InputError& error) {
      return error.hint();
    }
    return std::string("no error");
  };
  EXPECT_EQ(hint_of(resnet({"foo"})), "'sextant list gpus' names all");
  EXPECT_THAT(hint_of(resnet({"local"})), HasSubstr("'sextant calibrate'"));
  PredictQuestion machine = resnet({});
  machine.machines = {"p4d"};
  EXPECT_THAT(hint_of(machine), HasSubstr("p4d.24xlarge"));
  PredictQuestion strategy = resnet({"a100"});
  strategy.layout = {.counts = {4}, .strategies = {"foobar"}};
  EXPECT_EQ(hint_of(strategy), "'sextant list strategies' names all");
}

// What people give instead of an ONNX file.
TEST(AskPredict, OtherFilesAreMetByWhatTheyAre) {
  const OwnFile without_ending("tiny_encoder", "noext");
  EXPECT_EQ(predict(without_ending.question(), known()).list.size(), 1U) << "it is one all the same";
  const TemporaryFolder folder;
  const auto error_of = [](const std::string& path) {
    try {
      (void)predict({.job = {.net = {path}}, .gpus = {"t4"}}, known());
    } catch (const InputError& error) {
      return error.message() + " | " + error.hint();
    }
    return std::string("no error");
  };
  EXPECT_THAT(error_of(folder.path().string()), HasSubstr("this is a folder"));
  EXPECT_THAT(error_of("/dev/null"), HasSubstr("this is not a file"));
  const std::string weights = (folder.path() / "model.pt").string();
  std::ofstream(weights) << "PK";
  EXPECT_THAT(error_of(weights), HasSubstr("export it to ONNX: torch.onnx.export"));
}

TEST(AskPredict, AFileThatIsNoModelIsNamed) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "t1.csv").string();
  std::ofstream(path) << "net,gpu\nresnet50,a100\n";
  PredictQuestion question = resnet({"t4"});
  question.model.model = path;
  try {
    (void)predict(question, known());
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, path);
    EXPECT_THAT(error.hint(), HasSubstr("`measured`"));
  }
}

TEST(AskPredict, AllMachinesAreRankedByWhatFitsAndCost) {
  PredictQuestion question{.job = {.net = {"bert-large"}}, .machines = {"all"}};
  question.batches = {48};
  const PredictAnswers all = predict(question, known());
  ASSERT_GT(all.list.size(), 20U);
  EXPECT_TRUE(all.list.front().prediction.fits);
  EXPECT_FALSE(all.list.back().prediction.fits) << "some machine is too small";
  for (std::size_t i = 1; i < all.list.size(); ++i) {
    const Answer& before = all.list[i - 1];
    const Answer& after = all.list[i];
    EXPECT_GE(before.prediction.fits, after.prediction.fits);
    if (before.prediction.fits == after.prediction.fits && after.price) {
      EXPECT_LE(before.sample_cost(), after.sample_cost()) << after.job.layout.machine;
    }
  }
  question.top = 3;
  const PredictAnswers best = predict(question, known());
  ASSERT_EQ(best.list.size(), 3U);
  EXPECT_EQ(best.list[2].job.layout.machine, all.list[2].job.layout.machine);
}

TEST(AskPredict, MachinesAreRentedWhole) {
  PredictQuestion question{.job = {.net = {"resnet18"}}, .machines = {"aws/p3.2xlarge"}};
  question.layout.nodes = {1, 2};
  const PredictAnswers answers = predict(question, known());
  ASSERT_EQ(answers.list.size(), 2U);
  EXPECT_DOUBLE_EQ(answers.list[1].price->value, 2 * answers.list[0].price->value);
  EXPECT_EQ(answers.list[1].step_samples(), 64);
}

TEST(AskPredict, LayoutsThatAreImpossibleSayWhyAndLeaveTheRest) {
  PredictQuestion question = resnet({"v100"});
  question.layout = {.counts = {8}, .strategies = {"tensor", "data"}};
  const PredictAnswers some = predict(question, known());
  ASSERT_EQ(some.list.size(), 1U);
  EXPECT_EQ(some.list.front().prediction.strategy, "data");
  EXPECT_THAT(some.warnings, testing::Contains(HasSubstr("8 GPUs on 1 node are left out: tensor")));
  question.layout.counts = {4, 8};
  question.layout.strategies = {"tensor"};
  EXPECT_TRUE(predict(question, known()).list.empty());
}

TEST(AskPredict, ALargestBatchThatExistsNowhereIsAnAnswer) {
  PredictQuestion question{.job = {.net = {"gpt3-xl"}, .optimizer = "adam"}, .gpus = {"k80"}};
  question.max_batch = true;
  const PredictAnswers none = predict(question, known());
  EXPECT_FALSE(none.feasible);
  ASSERT_EQ(none.list.size(), 1U);
  EXPECT_EQ(none.list.front().job.sizes.batch, 1);
}

TEST(AskPredict, ContradictionsPointAtTheirField) {
  PredictQuestion question = resnet({"v100"});
  question.epochs = 3;
  EXPECT_EQ(test::field_of([&] { return predict(question, known()); }), "epochs");
  question = resnet({"v100"});
  question.max_batch = true;
  question.layout.counts = {2};
  EXPECT_EQ(test::field_of([&] { return predict(question, known()); }), "max_batch");
  question = resnet({});
  EXPECT_THROW((void)predict(question, known()), InputError) << "nowhere to run";
  question.machines = {"aws/p3.2xlarge"};
  question.region = "atlantis";
  EXPECT_EQ(test::field_of([&] { return predict(question, known()); }), "region");
}

TEST(AskCases, RowsAreAnsweredOrSayWhyNot) {
  const CsvTable cases = CsvTable::parse("net,batch\nresnet18,8\nresnet1B,8\n", "cases.csv");
  const predict::CaseAnswers answers = predict_cases(resnet({"t4"}), cases, known());
  EXPECT_TRUE(answers.row(0).memory);
  EXPECT_GT(answers.row(0).predicted, Seconds{});
  EXPECT_THAT(answers.row(1).error, HasSubstr("did you mean 'resnet18'"));
  EXPECT_EQ(test::field_of([&] { return predict_cases(resnet({"t4", "v100"}), cases, known()); }), "gpu");
}

TEST(AskCases, FilesAreNetworksOfTheirOwn) {
  const OwnFile named("mobilenet_v2", "our_net.onnx");
  const OwnFile namesake("mobilenet_v2", "resnet18.onnx");
  const std::string rows = named.question().job.net.name + ",8\n" + namesake.question().job.net.name + ",8\n";
  const CsvTable cases = CsvTable::parse("net,batch\n" + rows + "resnet18,8\n", "cases.csv");
  const predict::CaseAnswers answers = predict_cases(resnet({"t4"}), cases, known());
  for (const std::size_t row : {0U, 1U, 2U}) EXPECT_EQ(answers.row(row).error, "") << row;
  EXPECT_EQ(answers.row(0).predicted, answers.row(1).predicted);
  EXPECT_NE(answers.row(1).predicted, answers.row(2).predicted);
}

TEST(AskCases, ALawOfScalingSaysNothingOfMemory) {
  EXPECT_TRUE(names_scaling_model("sia"));
  EXPECT_FALSE(names_scaling_model("no-such-file.json"));
  const CsvTable cases = CsvTable::parse("net,cluster,placement,batch\nimagenet,aws,4444,100\n", "cases.csv");
  const predict::CaseAnswers answers = predict_scaling_cases({.model = {.model = "sia"}}, cases);
  EXPECT_GT(answers.row(0).breakdown.communication, Seconds{});
  EXPECT_FALSE(answers.row(0).memory);
}

}  // namespace
}  // namespace sextant::ask
