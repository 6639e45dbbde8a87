// What sextant.toml may say, and how an error in it is reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli_fixture.h"

namespace sextant::cli {
namespace {

using test::Outcome;
using test::sextant_run;
using testing::HasSubstr;
using testing::Not;

class Settings : public test::CliFixture {};

std::size_t predictions(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  return Json::parse(outcome.out).at("predictions").size();
}

TEST_F(Settings, ListsMayBeLists) {
  write("sextant.toml", "[predict]\nbatch = [8, 16]\ngpu = [\"t4\", \"v100\", \"a100\"]\n");
  EXPECT_EQ(predictions(sextant_run({"predict", "resnet18", "--json"})), 6U);
  write("sextant.toml", "[predict]\nbatch = \"8,16\"\ngpu = \"t4\"\n");
  EXPECT_EQ(predictions(sextant_run({"predict", "resnet18", "--json"})), 2U);
}

TEST_F(Settings, WhatIsNoListSaysSo) {
  write("sextant.toml", "seed = [1, 2]\n");
  EXPECT_EQ(sextant_run({"list", "gpus"}).err,
            "sextant.toml:1:8: error: 'seed' takes one value, not a list\n");
  write("sextant.toml", "[predict]\nbatch = [[8]]\n");
  EXPECT_EQ(
      sextant_run({"predict", "resnet18", "--gpu", "t4"}).err,
      "sextant.toml:2:10: error: 'batch' must be a number, a text, true or false, or a list of these\n");
  write("sextant.toml", "[predict]\nbatch = []\n");
  EXPECT_THAT(sextant_run({"predict", "resnet18", "--gpu", "t4"}).err,
              HasSubstr("2:9: error: the list of 'batch' is empty"));
}

TEST_F(Settings, ColumnsOfAllCommandsCountWhereTheyAre) {
  write("sextant.toml", "columns = [\"jobs\", \"policy\"]\n");
  const std::vector<std::string> simulate = {"simulate", "--generate", "philly:jobs=5", "--cluster",
                                             "v100=8"};
  EXPECT_TRUE(sextant_run(simulate).out.starts_with("jobs  policy\n"));
  const Outcome other = sextant_run({"list", "gpus"});
  EXPECT_EQ(other.code, kDone) << other.err;
  std::filesystem::remove("sextant.toml");
  EXPECT_EQ(other.out, sextant_run({"list", "gpus"}).out);
}

TEST_F(Settings, ColumnsOfOneCommandAreCheckedWhereTheyStand) {
  write("sextant.toml", "[list]\ncolumns = \"gpu,colour\"\n");
  EXPECT_THAT(sextant_run({"list", "gpus"}).err,
              HasSubstr("sextant.toml:2:11: error: this result has no column 'colour'"));
  EXPECT_EQ(sextant_run({"list", "gpus", "--columns", "gpu"}).code, kDone);
  EXPECT_THAT(sextant_run({"list", "gpus", "--columns", "colour"}).err, HasSubstr("--columns: error: "));
  EXPECT_EQ(sextant_run({"version"}).code, kDone) << "another command";
}

TEST_F(Settings, VariablesThatNothingReadsAreTold) {
  const auto err = [](const char* variable) {
    setenv(variable, "t4", 1);
    const std::string text = sextant_run({"predict", "resnet18", "--gpu", "v100"}).err;
    unsetenv(variable);
    return text;
  };
  EXPECT_THAT(err("SEXTANT_GPU"),
              HasSubstr("nothing reads the variable SEXTANT_GPU; did you mean SEXTANT_PREDICT_GPU?"));
  EXPECT_THAT(err("SEXTANT_PREDICT_GUP"), HasSubstr("did you mean SEXTANT_PREDICT_GPU?"));
  EXPECT_THAT(err("SEXTANT_XYZZY"), HasSubstr("'sextant config show' has those that are read"));
  EXPECT_THAT(err("SEXTANT_DATA"), Not(HasSubstr("nothing reads")));
  EXPECT_THAT(err("SEXTANT_FACTOR_X"), Not(HasSubstr("nothing reads")));
  EXPECT_THAT(sextant_run({"config", "show", "--format", "csv"}).out,
              testing::AllOf(HasSubstr(",default,SEXTANT_PREDICT_GPU"), HasSubstr(",default,SEXTANT_SEED")));
}

TEST_F(Settings, AWrongValueIsWrongWhereItStands) {
  write("sextant.toml", "[predict]\ngpu = \"v10O\"\n");
  EXPECT_EQ(sextant_run({"predict", "resnet50"}).err,
            "sextant.toml:2:7: error: unknown GPU 'v10O'\n  hint: did you mean 'V100'?\n");
  setenv("SEXTANT_PREDICT_GPU", "v1OO", 1);
  EXPECT_THAT(sextant_run({"predict", "resnet50"}).err, HasSubstr("SEXTANT_PREDICT_GPU: error: unknown GPU"));
  unsetenv("SEXTANT_PREDICT_GPU");
  EXPECT_THAT(sextant_run({"predict", "resnet50", "--gpu", "v10O"}).err,
              HasSubstr("--gpu: error: unknown GPU"));
}

TEST_F(Settings, OutputsStayWithinTheFolder) {
  write("cases.csv", "net,gpu,batch\nresnet18,t4,8\n");
  std::filesystem::create_directory("sub");
  const std::string outside = (std::filesystem::temp_directory_path() / "sextant-outside.csv").string();
  std::filesystem::create_symlink(outside, "link.csv");
  const std::vector<std::string> ask = {"predict", "--cases", "cases.csv"};
  for (const std::string& path :
       {outside, std::string("../x.csv"), std::string("sub/../../x.csv"), std::string("link.csv")}) {
    write("sextant.toml", "[predict]\nout = \"" + path + "\"\n");
    const Outcome outcome = sextant_run(ask);
    EXPECT_EQ(outcome.code, kBadInput) << path;
    EXPECT_THAT(outcome.err,
                HasSubstr("sextant.toml:2:7: error: 'out' leads to '" + path + "', outside of this folder"));
    EXPECT_THAT(outcome.err, HasSubstr("hint: give it on the command line: --out " + path));
  }
  EXPECT_FALSE(std::filesystem::exists(outside));
  for (const std::string& path : {std::string("x.csv"), std::string("sub/x.csv"),
                                  (std::filesystem::current_path() / "y.csv").string()}) {
    write("sextant.toml", "[predict]\nout = \"" + path + "\"\n");
    EXPECT_EQ(sextant_run(ask).code, kDone) << path;
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
  }
}

TEST_F(Settings, DatabasesAndFoldersStayWithinTheFolderToo) {
  write("runs.csv", "net,seconds\nresnet18,0.1\n");
  write("sextant.toml", "[records-import]\ndb = \"/tmp/sextant-outside.db\"\n");
  EXPECT_THAT(sextant_run({"records", "import", "runs.csv"}).err, HasSubstr("outside of this folder"));
  write("sextant.toml", "[reference]\nman = \"/tmp\"\n");
  EXPECT_THAT(sextant_run({"reference"}).err, HasSubstr("outside of this folder"));
}

TEST_F(Settings, NoCommandIsRunThatAFileNames) {
  write("sextant.toml", "[explore]\nrun = \"touch ran-{x}\"\nfactor = [\"x=1,2\"]\n");
  const Outcome refused = sextant_run({"explore"});
  EXPECT_EQ(refused.code, kBadInput);
  EXPECT_THAT(refused.err,
              HasSubstr("sextant.toml:2:7: error: 'run' names a command to run, which a settings "
                        "file may not do\n  hint: give it on the command line: --run 'COMMAND'"));
  EXPECT_FALSE(std::filesystem::exists("ran-1"));
  write("sextant.toml", "[plan-daemon]\napply = \"slurm\"\n");
  EXPECT_THAT(sextant_run({"plan", "daemon", "--cluster", "v100=4"}).err,
              HasSubstr("'apply' names a command"));
}

TEST_F(Settings, PasswordsAreNotShown) {
  write("sextant.toml", "[explore]\nstore = \"postgresql://lab:sesame@db/studies\"\n");
  for (const char* format : {"table", "csv", "json"}) {
    const Outcome outcome = sextant_run({"config", "show", "--format", format, "--no-provenance"});
    EXPECT_THAT(outcome.out, HasSubstr("postgresql://lab:***@db/studies"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("sesame")));
  }
  const Outcome from = sextant_run({"list", "gpus", "--json", "--columns", "postgresql://u:sesame@h/d"});
  EXPECT_THAT(from.out, HasSubstr("postgresql://u:***@h/d"));
  EXPECT_THAT(from.out, Not(HasSubstr("sesame")));
  EXPECT_THAT(sextant_run({"list", "postgresql://u:sesame@h/d"}).err, Not(HasSubstr("sesame")));
}

TEST_F(Settings, OlderNamesOfOptionsAreUnderstood) {
  write("runs.csv", "x,y\n1,2\n2,4.1\n3,5.9\n4,8.2\n5,9.9\n6,12.1\n7,14\n8,16.2\n9,18\n10,20.1\n");
  const std::vector<std::string> fit = {"fit", "--data",   "runs.csv", "--response", "y",     "--features",
                                        "x",   "--method", "ols",      "--out",      "m.json"};
  write("sextant.toml", "[fit]\nresiduals = \"old.svg\"\n");
  EXPECT_EQ(sextant_run(fit).code, kDone);
  EXPECT_THAT(read("old.svg"), HasSubstr("<svg"));
  std::vector<std::string> flagged = fit;
  flagged.insert(flagged.end(), {"--residuals", "flag.svg"});
  EXPECT_EQ(sextant_run(flagged).code, kDone);
  EXPECT_THAT(read("flag.svg"), HasSubstr("<svg"));
}

}  // namespace
}  // namespace sextant::cli
