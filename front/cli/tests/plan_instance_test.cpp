// sextant plan with files that are wrong: each fault is named with its place, in the words of the file.
#include <gmock/gmock.h>

#include "cli_fixture.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kMachine = "[[machine]]\nname = \"A\"\ngpu = \"K80\"\ngpus = 2\nprice = \"1.13 USD/h\"\n";
const std::string kTwoNodes = "[[node]]\ncount = 2\n";
const std::string kOneJob = "[[job]]\nid = \"x\"\ntime = [{ machine = \"A\", gpus = 1, time = \"2 h\" }]\n";
const std::string kKindOfTable = "[[job]]\nid = \"x\"\nkind = \"k\"\n";

class PlanInstance : public CliFixture {
 protected:
  static std::string fault_in(const std::string& text, const std::vector<std::string>& more = {}) {
    write("jobs.toml", text);
    std::vector<std::string> words = {"plan", "jobs.toml"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = sextant_run(words);
    EXPECT_EQ(outcome.code, kBadInput) << text << outcome.out;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }
  static std::string fault_of_job(const std::string& line) {
    return fault_in(kMachine + kTwoNodes + kOneJob + line + "\n");
  }
  static std::string fault_of_times(const std::string& csv) {
    write("times.csv", csv);
    return fault_in("times = \"times.csv\"\n" + kMachine + kTwoNodes + kKindOfTable);
  }
};

TEST_F(PlanInstance, NoFileNoTomlNothingInIt) {
  EXPECT_THAT(sextant_run({"plan", "none.toml"}).err,
              StartsWith("none.toml: error: the file cannot be read"));
  EXPECT_THAT(sextant_run({"plan", "."}).err, StartsWith(".: error: this is a folder"));
  EXPECT_THAT(sextant_run({"plan"}).err, HasSubstr("INSTANCE is missing"));
  EXPECT_THAT(fault_in(""), StartsWith("jobs.toml:1:1: error: there is no [[machine]]"));
  EXPECT_THAT(fault_in("hello"), StartsWith("jobs.toml:1:6: error:"));
  EXPECT_THAT(fault_in(kMachine + kOneJob), StartsWith("jobs.toml:1:1: error: there is no [[node]]"));
  EXPECT_THAT(fault_in(kMachine + kTwoNodes), StartsWith("jobs.toml:1:1: error: there is no [[job]]"));
}

TEST_F(PlanInstance, WhatCannotBe) {
  EXPECT_THAT(fault_of_job("min_gpus = 8"),
              StartsWith("jobs.toml:8:1: error: job 'x' fits nowhere\n  hint: "));
  EXPECT_THAT(fault_of_job("due = \"0 s\""),
              StartsWith("jobs.toml:11:7: error: the due date of job 'x' has passed"));
  EXPECT_THAT(fault_of_job("tardiness = \"-1 USD/h\""),
              StartsWith("jobs.toml:11:13: error: '-1 USD/h' is negative"));
  EXPECT_THAT(fault_of_job("with = \"x\""),
              StartsWith("jobs.toml:11:8: error: job 'x' follows itself in a circle"));
  EXPECT_THAT(fault_of_job("nodes = [2]"), StartsWith("jobs.toml:11:9: error: there is no node 2\n  hint: "));
  EXPECT_THAT(
      fault_of_job(
          "with = \"y\"\n[[job]]\nid = \"y\"\nwith = \"x\"\ntime = [{ machine = \"A\", time = \"1 h\" }]"),
      StartsWith("jobs.toml:11:8: error: job 'x' follows itself in a circle"));
  EXPECT_THAT(fault_in("[[machine]]\nname = \"A\"\ngpu = \"K80\"\nprice = \"-1 USD/h\"\n"),
              StartsWith("jobs.toml:4:9: error: '-1 USD/h' is negative"));
}

// An option may have the name of a key: the message is about the file all the same.
TEST_F(PlanInstance, WhatIsMissingInTheWordsOfTheFile) {
  EXPECT_THAT(
      fault_in(kMachine + kTwoNodes + "[[job]]\nid = \"x\"\n"),
      StartsWith(
          "jobs.toml:8:1: error: job 'x' has no times\n  hint: give it [[job.time]] sections, a `kind` of "
          "the table of times, a `model` of the table of throughputs, or a `network`"));
  EXPECT_THAT(fault_in(kMachine + "[[node]]\ncount = 100000000000\n"),
              StartsWith("jobs.toml:7:9: error: `count` must be between 1 and 100000"));
  EXPECT_THAT(fault_in(kMachine + kTwoNodes + "[[job]]\ndue = \"1 h\"\n"),
              StartsWith("jobs.toml:8:1: error: key 'id' is missing here"));
}

TEST_F(PlanInstance, WrongTypes) {
  EXPECT_THAT(fault_of_job("due = 5"), StartsWith("jobs.toml:11:7: error: 'due' must be a text in quotes"));
  EXPECT_THAT(fault_of_job("due = \"5\""), StartsWith("jobs.toml:11:7: error: '5' has no unit\n  hint: "));
  EXPECT_THAT(fault_of_job("nodes = \"0\""), StartsWith("jobs.toml:11:9: error:"));
  EXPECT_THAT(fault_in(kMachine + kTwoNodes + "[[job]]\nid = \"x\"\ntime = \"2 h\"\n"),
              StartsWith("jobs.toml:10:8: error: 'time' must be a list"));
  EXPECT_THAT(fault_of_job("time_of_day = 3"),
              StartsWith("jobs.toml:11:15: error: unknown key 'time_of_day'"));
}

TEST_F(PlanInstance, HugeValues) {
  EXPECT_THAT(fault_in(kMachine + kTwoNodes +
                       "[[job]]\nid = \"x\"\ntime = [{ machine = \"A\", time = \"1e300 h\" }]\n"),
              StartsWith("jobs.toml:8:1: error: job 'x' takes more than 3,000 years\n  hint: "));
  EXPECT_THAT(
      fault_of_job("tardiness = \"1e300 USD/h\""),
      StartsWith("jobs.toml:8:1: error: job 'x' costs more than 1e9 USD for an hour of delay\n  hint: "));
  EXPECT_THAT(
      fault_in("[[machine]]\nname = \"A\"\ngpu = \"K80\"\nprice = \"1e308 USD/h\"\n" + kTwoNodes + kOneJob),
      StartsWith("jobs.toml: error: machine 'A' costs more than 1e9 USD an hour\n  hint: "));
  EXPECT_THAT(fault_of_job("priority = 1e300"),
              StartsWith("jobs.toml:11:12: error: `priority` must be between"));
}

TEST_F(PlanInstance, TablesOfTimes) {
  EXPECT_THAT(fault_of_times("kind,gpu\nk,K80\n"),
              StartsWith("times.csv:1:1: error: there is no column 'seconds'\n  hint: one of: kind, gpu"));
  EXPECT_THAT(fault_of_times(""), StartsWith("times.csv: error: the file is empty"));
  EXPECT_THAT(fault_of_times("kind,gpu,gpus,seconds\nk,K80,1,-5\n"),
              StartsWith("times.csv:2:9: error: a time must be more than 0"));
  EXPECT_THAT(fault_of_times("kind,gpu,gpus,seconds\nk,K80,1,1e400\n"),
              StartsWith("times.csv:2:9: error: '1e400' is not a finite number"));
  EXPECT_THAT(fault_of_times("kind,gpu,gpus,seconds\nk,K80,one,5\n"),
              StartsWith("times.csv:2:7: error: 'one' is not a whole number"));
  EXPECT_THAT(fault_of_times("kind,gpu,gpus,seconds\nother,K80,1,5\n"), HasSubstr("job 'x' has no times"));
}

TEST_F(PlanInstance, Options) {
  const std::string good = kMachine + kTwoNodes + kOneJob;
  EXPECT_THAT(fault_in(good, {"--budget", "-5 USD/h"}), StartsWith("--budget: error:"));
  EXPECT_THAT(fault_in(good, {"--risk", "0.9"}), StartsWith("--risk: error:"));
  EXPECT_THAT(fault_in(good, {"--method", "edff"}), StartsWith("--method: error:"));
  EXPECT_THAT(fault_in(good, {"--plot", "plan.png"}), StartsWith("--plot: error: the picture is SVG"));
}

TEST_F(PlanInstance, DrawsThePlan) {
  write("jobs.toml", kMachine + kTwoNodes + kOneJob);
  EXPECT_EQ(sextant_run({"plan", "jobs.toml", "--plot", "plan.svg"}).code, kDone);
  EXPECT_THAT(read("plan.svg"), HasSubstr(">x</text>"));
  EXPECT_EQ(sextant_run({"plan", "jobs.toml", "--budget", "0.1 USD/h", "--plot", "none.svg"}).code,
            kInfeasible);
  EXPECT_FALSE(std::filesystem::exists("none.svg")) << "there is no plan to draw";
}

}  // namespace
}  // namespace sextant::cli::test
