// The program as its users meet it, without a process: arguments in, text and exit code out.
#include "sextant/cli/run.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli_fixture.h"
#include "sextant/cli/command.h"

namespace sextant::cli {
namespace {

using test::Outcome;
using test::sextant_run;

class Cli : public test::CliFixture {};

TEST_F(Cli, EveryCommandHasHelpWithAnExample) {
  for (const auto& command : all_commands()) {
    std::vector<std::string> arguments;
    std::istringstream words(command.path);
    for (std::string word; words >> word;) arguments.push_back(word);
    arguments.emplace_back("--help");
    const Outcome outcome = sextant_run(arguments);
    EXPECT_EQ(outcome.code, kDone) << command.path;
    EXPECT_FALSE(command.examples.empty()) << command.path;
    EXPECT_TRUE(command.examples.front().find("sextant " + command.path) != std::string::npos)
        << command.path;
  }
}

TEST_F(Cli, HelpIsAWordToo) {
  EXPECT_EQ(sextant_run({"help", "predict"}).out, sextant_run({"predict", "--help"}).out);
  EXPECT_EQ(sextant_run({"help"}).out, sextant_run({"--help"}).out);
  EXPECT_EQ(sextant_run({"help"}).code, kDone);
}

TEST_F(Cli, WithoutArgumentsShowsHelpAndFails) {
  const Outcome outcome = sextant_run({});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("Plan a training job"), std::string::npos);
}

TEST_F(Cli, AGroupAloneListsItsCommands) {
  const Outcome outcome = sextant_run({"records"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_NE(outcome.err.find("records import"), std::string::npos);
}

TEST_F(Cli, SlipsGetTheNearestName) {
  EXPECT_EQ(sextant_run({"perdict"}).err,
            "sextant: error: there is no command 'perdict'\n  hint: did you mean 'predict'?\n");
  EXPECT_EQ(sextant_run({"net", "sumary"}).err,
            "sextant: error: there is no command 'net sumary'\n  hint: did you mean 'summary'?\n");
  EXPECT_EQ(sextant_run({"predict", "resnet50", "--gpus", "v100"}).err,
            "sextant: error: unknown option '--gpus'\n  hint: did you mean '--gpu'?\n");
  EXPECT_EQ(sextant_run({"predict", "resnet5O", "--gpu", "v100"}).err,
            "NET: error: unknown network 'resnet5O'\n  hint: did you mean 'resnet50'?\n");
  EXPECT_EQ(sextant_run({"predict", "resnet50", "--gpu", "v10O"}).err,
            "--gpu: error: unknown GPU 'v10O'\n  hint: did you mean 'V100'?\n");
}

// predict and advise are taken for each other.
TEST_F(Cli, AnOptionOfAnotherCommandIsNamedWithIt) {
  EXPECT_THAT(sextant_run({"predict", "lenet5", "--gpu", "t4", "--deadline", "1h"}).err,
              testing::AllOf(testing::HasSubstr("unknown option '--deadline'"),
                             testing::HasSubstr("'sextant advise'"), testing::HasSubstr("have --deadline")));
  EXPECT_THAT(sextant_run({"advise", "lenet5", "--max-batch"}).err,
              testing::HasSubstr("'sextant predict' has --max-batch"));
}

TEST_F(Cli, BadValuesExitWithTwo) {
  const std::vector<std::vector<std::string>> bad = {
      {"predict", "resnet50", "--gpu", "v100", "--batch", "0"},
      {"predict", "resnet50", "--gpu", "v100", "--batch", "-4"},
      {"predict", "resnet50", "--gpu", "v100", "--batch", "nan"},
      {"predict", "resnet50", "--gpu", "v100", "--batch", "1.5"},
      {"predict", "resnet50", "--gpu", "v100", "--batch", "99999999999999999999"},
      {"predict", "resnet50", "--gpu", "v100", "--batch", "9999999999"},
      {"predict", "resnet50", "--gpu", "v100", "--batch", "1,,2"},
      {"predict", "resnet50", "--gpu", "v100", "--image", "0"},
      {"predict", "resnet50", "--gpu", "v100", "--image", "1000000"},
      {"predict", "resnet50", "--gpu", "v100", "--seq", "128"},
      {"predict", "resnet50", "--gpu", "v100", "--epochs", "3"},
      {"predict", "resnet50", "--gpu", "v100", "--precision", "int8"},
      {"predict", "resnet50", "--gpu", "v100", "--predictor", "oracle"},
      {"predict", "resnet50"},
      {"predict"},
      {"predict", "resnet50", "--gpu"},
      {"predict", "resnet50", "extra", "--gpu", "v100"},
      {"list", "planets"},
      {"describe", "gpu", "v9000"},
      {"describe", "gpu"},
      {"net", "summary", "no-such-file.onnx"},
      {"list", "gpus", "--catalog", "no-such-file.toml"},
      {"list", "gpus", "--format", "xml"},
      {"completion", "powershell"},
      {"records", "list", "--db", "no-such.db"}};
  for (const auto& arguments : bad) {
    const Outcome outcome = sextant_run(arguments);
    std::string typed;
    for (const auto& argument : arguments) typed += argument + " ";
    EXPECT_EQ(outcome.code, kBadInput) << typed << outcome.err;
    EXPECT_EQ(outcome.out, "") << typed;
    EXPECT_NE(outcome.err.find("error:"), std::string::npos) << typed;
  }
}

TEST_F(Cli, ListsGiveTheProduct) {
  const Outcome outcome = sextant_run(
      {"predict", "resnet18", "--gpu", "v100,t4", "--batch", "1,2,4", "--json", "--no-provenance"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out).at("predictions").size(), 6U);
}

TEST_F(Cli, JsonIsTheSameToTheByteWithoutProvenance) {
  const std::vector<std::string> arguments = {"predict", "resnet50", "--gpu",
                                              "all",     "--json",   "--no-provenance"};
  EXPECT_EQ(sextant_run(arguments).out, sextant_run(arguments).out);
  EXPECT_EQ(Json::parse(sextant_run(arguments).out).contains("provenance"), false);
}

TEST_F(Cli, ProvenanceNamesTheCommandAndTheInputs) {
  write("mine.toml", "");
  const Outcome outcome =
      sextant_run({"predict", "resnet50", "--gpu", "t4", "--json", "--catalog", "mine.toml"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const Json from = Json::parse(outcome.out).at("provenance");
  EXPECT_EQ(from.at("inputs").at(0).at("name"), "mine.toml");
  EXPECT_NE(from.at("command").get<std::string>().find("predict resnet50"), std::string::npos);
}

TEST_F(Cli, SingularAndPluralAreBothAccepted) {
  EXPECT_EQ(sextant_run({"list", "gpu"}).out, sextant_run({"list", "gpus"}).out);
  EXPECT_EQ(sextant_run({"describe", "gpus", "T4"}).out, sextant_run({"describe", "gpu", "t4"}).out);
}

TEST_F(Cli, ListAloneNamesTheKindsAndDescribeAsksForOne) {
  EXPECT_NE(sextant_run({"list"}).out.find("\npolicies "), std::string::npos);
  EXPECT_EQ(sextant_run({"describe", "v100"}).err,
            "KIND: error: what kind of thing is 'v100'?\n"
            "  hint: such as 'sextant describe gpu v100'; 'sextant list' names the kinds\n");
  EXPECT_EQ(sextant_run({"describe", "gpu"}).err,
            "NAME: error: which gpu?\n  hint: 'sextant list gpus' names them\n");
}

TEST_F(Cli, SettingsComeFromFlagThenVariableThenFile) {
  const auto batch = [](const Outcome& outcome) {
    return Json::parse(outcome.out).at("predictions").at(0).at("batch").get<int>();
  };
  const std::vector<std::string> ask = {"predict", "resnet18", "--gpu", "t4", "--json"};
  EXPECT_EQ(batch(sextant_run(ask)), 32);
  write("sextant.toml", "[predict]\nbatch = 8\n");
  EXPECT_EQ(batch(sextant_run(ask)), 8);
  setenv("SEXTANT_PREDICT_BATCH", "16", 1);
  EXPECT_EQ(batch(sextant_run(ask)), 16);
  auto flagged = ask;
  flagged.insert(flagged.end(), {"--batch", "64"});
  EXPECT_EQ(batch(sextant_run(flagged)), 64);
  const std::string shown = sextant_run({"config", "show", "--format", "csv"}).out;
  EXPECT_NE(shown.find("predict.batch,16,SEXTANT_PREDICT_BATCH"), std::string::npos);
  unsetenv("SEXTANT_PREDICT_BATCH");
  EXPECT_NE(sextant_run({"config", "show", "--format", "csv"}).out.find("predict.batch,8,sextant.toml:2:9"),
            std::string::npos);
}

TEST_F(Cli, WhatIsRequiredMayStandInTheFile) {
  EXPECT_NE(sextant_run({"simulate", "--generate", "philly:jobs=5"}).err.find("--cluster is missing"),
            std::string::npos);
  write("sextant.toml", "columns = \"jobs,policy\"\n[simulate]\ncluster = \"v100=8\"\n");
  const Outcome outcome = sextant_run({"simulate", "--generate", "philly:jobs=5"});
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("jobs  policy\n")) << outcome.out;
}

TEST_F(Cli, AMisspeltSettingIsAnErrorWithAPosition) {
  write("sextant.toml", "[predict]\nbach = 8\n");
  const Outcome outcome = sextant_run({"list", "gpus"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_EQ(outcome.err, "sextant.toml:2:8: error: unknown key 'bach'\n  hint: did you mean 'batch'?\n");
}

TEST_F(Cli, RecordsGoInOnceAndComeOutAgain) {
  write("runs.csv", "net,iteration_s\nresnet50,0.25\nvgg16,0.5\n");
  EXPECT_EQ(sextant_run({"records", "import", "runs.csv", "--db", "r.db", "--format", "csv"}).out,
            "db,added,already_there\nr.db,2,0\n");
  EXPECT_EQ(sextant_run({"records", "import", "runs.csv", "--db", "r.db", "--format", "csv"}).out,
            "db,added,already_there\nr.db,0,2\n");
  EXPECT_EQ(sextant_run({"records", "export", "--db", "r.db", "--no-provenance", "--out", "out.csv"}).out,
            "");
  EXPECT_THAT(read("out.csv"), testing::HasSubstr("resnet50,0.25"));
  EXPECT_EQ(sextant_run({"records", "export", "--db", "r.db", "--no-provenance"}).out,
            "kind,net,iteration_s\nmeasurement,resnet50,0.25\nmeasurement,vgg16,0.5\n");
  EXPECT_EQ(sextant_run({"records", "check", "--db", "r.db"}).code, kDone);
}

TEST_F(Cli, CompletionAndReferenceMentionEveryCommandAndOption) {
  const std::string page = sextant_run({"reference"}).out;
  const std::string bash = sextant_run({"completion", "bash"}).out;
  const std::string fish = sextant_run({"completion", "fish"}).out;
  for (const auto& command : all_commands()) {
    EXPECT_NE(page.find("## sextant " + command.path + "\n"), std::string::npos) << command.path;
    EXPECT_NE(bash.find("'" + command.path + "') flags="), std::string::npos) << command.path;
    for (const auto& option : command.options) {
      if (option.positional) continue;
      EXPECT_NE(page.find("`--" + option.name), std::string::npos) << option.name;
      EXPECT_NE(bash.find("--" + option.name), std::string::npos) << option.name;
      EXPECT_NE(fish.find("-l " + option.name), std::string::npos) << option.name;
    }
  }
}

TEST_F(Cli, TheCommittedReferencePageIsTheGeneratedOne) {
  EXPECT_EQ(read(SEXTANT_SOURCE_DIR "/docs/reference/commands.md"), sextant_run({"reference"}).out)
      << "run: make docs";
}

TEST_F(Cli, AResultThatCannotBeWrittenIsAFailure) {
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "needs /dev/full";
  std::ostringstream err;
  EXPECT_EQ(run({"list", "gpus"}, Io{full, err}), kFailed);
  EXPECT_NE(err.str().find("could not be written"), std::string::npos);
}

}  // namespace
}  // namespace sextant::cli
