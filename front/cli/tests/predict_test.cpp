// sextant predict with files: cases, measurements, and the largest batch.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/core/csv.h"

namespace sextant::cli {
namespace {

using test::Outcome;
using test::sextant_run;
class Predict : public test::CliFixture {};

constexpr const char* kCases = "id,net,gpu,batch\n1,resnet18,t4,8\n2,resnet1B,t4,8\n";

TEST_F(Predict, CasesGoToAFileAndTheSummaryToTheErrorStream) {
  write("cases.csv", kCases);
  const Outcome outcome = sextant_run({"predict", "--cases", "cases.csv", "--out", "answers.csv"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "sextant: cases.csv: 2 rows, 1 predicted, 1 with an error; the first in row 2: net: unknown "
            "network 'resnet1B' (did you mean 'resnet18'?)\n");
  const CsvTable table = CsvTable::read_file("answers.csv");
  EXPECT_EQ(table.text(0, table.column("id")), "1");
  EXPECT_GT(table.number(0, table.column("predicted_s")), 0);
  EXPECT_EQ(files(), (std::vector<std::string>{"answers.csv", "cases.csv"})) << "nothing else is left";
}

TEST_F(Predict, CasesAgreeWithSingleQuestions) {
  write("cases.csv", "net,precision\nresnet50,fp16\n");
  const Outcome many = sextant_run({"predict", "--cases", "cases.csv", "--gpu", "v100", "--batch", "16"});
  const Outcome one =
      sextant_run({"predict", "resnet50", "--gpu", "v100", "--batch", "16", "--precision", "fp16", "--json"});
  const CsvTable table = CsvTable::parse(many.out, "answers.csv");
  const Json answer = Json::parse(one.out).at("predictions").at(0);
  EXPECT_EQ(table.number(0, table.column("predicted_s")), answer.at("iteration_s").get<double>());
  EXPECT_EQ(table.number(0, table.column("memory_bytes")), answer.at("memory_bytes").get<double>());
}

TEST_F(Predict, AFailureLeavesTheOldFile) {
  write("answers.csv", "precious\n");
  EXPECT_EQ(sextant_run({"predict", "--cases", "missing.csv", "--out", "answers.csv"}).code, kBadInput);
  write("cases.csv", "gpu\nt4\n");
  EXPECT_EQ(sextant_run({"predict", "--cases", "cases.csv", "--out", "answers.csv"}).code, kBadInput);
  EXPECT_EQ(read("answers.csv"), "precious\n");
  EXPECT_EQ(files(), (std::vector<std::string>{"answers.csv", "cases.csv"}));
}

TEST_F(Predict, BadFilesAndOptionsExitWithTwo) {
  write("cases.csv", kCases);
  write("empty.csv", "");
  write("broken.csv", "net,gpu\nresnet18\n");
  write("timed.csv", "net,gpu,measured_s\nresnet18,t4,-1\n");
  write("model.json", "{");
  const std::vector<std::vector<std::string>> bad = {
      {"--cases", "empty.csv"},
      {"--cases", "broken.csv"},
      {"--cases", "."},
      {"--cases", "cases.csv", "--out", "no-such-folder/answers.csv"},
      {"--cases", "cases.csv", "--out", "."},
      {"--cases", "cases.csv", "--gpu", "t4,v100"},
      {"--cases", "cases.csv", "--batch", "1,2"},
      {"--cases", "cases.csv", "--machine", "all"},
      {"--cases", "cases.csv", "--max-batch"},
      {"resnet18", "--gpu", "t4", "--out", "answers.csv"},
      {"resnet18", "--gpu", "t4", "--from", "t5"},
      {"resnet18", "--gpu", "t4", "--measured", "timed.csv"},
      {"resnet18", "--gpu", "t4", "--measured", "missing.csv"},
      {"resnet18", "--gpu", "t4", "--model", "missing.json"},
      {"resnet18", "--gpu", "t4", "--predictor", "per-layer"},
      {"resnet18", "--gpu", "t4", "--predictor", "per-layer", "--model", "model.json"},
      {"resnet18", "--gpu", "t4", "--predictor", "wave-scaling"},
      {"resnet18", "--gpu", "t4", "--samples", "1e18"},
      {"resnet18", "--gpu", "t4", "--samples", "10", "--epochs", "1e300"},
      {"resnet18", "--gpu", "t4", "--batch", "1073741825"}};
  for (std::vector<std::string> arguments : bad) {
    arguments.insert(arguments.begin(), "predict");
    const Outcome outcome = sextant_run(arguments);
    EXPECT_EQ(outcome.code, kBadInput) << arguments.back() << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(Predict, AMisspeltColumnIsPointedOut) {
  write("cases.csv", "net,gpu,bacth\nresnet18,t4,8\n");
  const Outcome outcome = sextant_run({"predict", "--cases", "cases.csv"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_NE(outcome.err.find("did you mean 'batch'?"), std::string::npos) << outcome.err;
}

TEST_F(Predict, WaveScalingTakesWhatWasTimedElsewhere) {
  write("timed.csv", "net,batch,measured_ms\nresnet50,32,400\n");
  const Outcome outcome = sextant_run({"predict", "resnet50", "--gpu", "t4", "--json", "--predictor",
                                       "wave-scaling", "--from", "T4", "--measured", "timed.csv"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_NEAR(Json::parse(outcome.out).at("predictions").at(0).at("iteration_s").get<double>(), 0.4, 1e-9);
}

TEST_F(Predict, MaxBatchIsAskedOfEachGpu) {
  const Outcome outcome = sextant_run({"predict", "resnet50", "--gpu", "k80,v100", "--max-batch", "--json"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const Json answers = Json::parse(outcome.out).at("predictions");
  EXPECT_LT(answers.at(0).at("batch"), answers.at(1).at("batch"));
  for (const auto& answer : answers) EXPECT_TRUE(answer.at("fits"));
}

TEST_F(Predict, ANetworkThatFitsNowhereIsInfeasible) {
  const Outcome outcome =
      sextant_run({"predict", "gpt3-xl", "--gpu", "k80", "--max-batch", "--optimizer", "adam"});
  EXPECT_EQ(outcome.code, kInfeasible);
  EXPECT_NE(outcome.err.find("no configuration"), std::string::npos) << outcome.err;
}

TEST_F(Predict, InputsAreInTheProvenance) {
  write("timed.csv", "net,gpu,batch,measured_ms\nresnet18,t4,8,30\n");
  write("resnet18", "a file that is called like a network is not read");
  const Outcome outcome =
      sextant_run({"predict", "resnet18", "--gpu", "t4", "--measured", "timed.csv", "--json"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const Json inputs = Json::parse(outcome.out).at("provenance").at("inputs");
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(inputs.at(0).at("name"), "timed.csv");
  EXPECT_EQ(inputs.at(0).at("sha256").get<std::string>().size(), 64U);
}

// A transformer that was timed with products in tf32, and does not say so.
TEST_F(Predict, TimingsOfAnotherFormatAreNotCarried) {
  write("t1.csv", "net,gpu,batch,measured_ms\nbert-base,a100,16,136\nbert-base,a100,32,272\n");
  const std::vector<std::string> question = {"predict",      "bert-base", "--gpu",
                                             "v100,a100,t4", "--format",  "csv"};
  std::vector<std::string> measured = question;
  measured.insert(measured.end(), {"--measured", "t1.csv"});
  const Outcome timed = sextant_run(measured);
  EXPECT_EQ(timed.out, sextant_run(question).out);
  EXPECT_NE(timed.err.find("warning: t1.csv:2: 136 ms is below the"), std::string::npos) << timed.err;
  EXPECT_NE(timed.err.find("Say so by --precision"), std::string::npos) << timed.err;
}

TEST_F(Predict, HintsAreWhatCanBeWritten) {
  const auto error_of = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"predict", "resnet18", "--gpu", "t4"});
    return sextant_run(words).err;
  };
  EXPECT_NE(error_of({"--columns", "foobar"}).find("the columns are net, gpu,"), std::string::npos);
  EXPECT_NE(error_of({"--classes", "1.2k"}).find("write it as 1.2e3"), std::string::npos);
  EXPECT_NE(error_of({"--samples", "1.5"}).find("from 1 to 1e+12"), std::string::npos);
  EXPECT_NE(error_of({"--precision", "bfloat16"}).find("it is called bf16 here"), std::string::npos);
  EXPECT_NE(error_of({"--precision", "amp"}).find("is fp16 here, or bf16"), std::string::npos);
  EXPECT_NE(error_of({"--optimizer", "adagrad"}).find("adamw"), std::string::npos);
  for (const char* samples : {"1e6", "1.28M", "50k"}) {
    EXPECT_EQ(sextant_run({"predict", "resnet18", "--gpu", "t4", "--samples", samples}).code, kDone)
        << samples;
  }
}

}  // namespace
}  // namespace sextant::cli
