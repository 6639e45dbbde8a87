// sextant simulate from the command line: what is run, what is written, what is refused.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli_fixture.h"
#include "sextant/core/json.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;

// One GPU: A(0,8) B(1,4) C(2,9) D(3,5).
constexpr const char* kJobs = "id,arrival_s,gpus,reference_s\nA,0,1,8\nB,1,1,4\nC,2,1,9\nD,3,1,5\n";
constexpr const char* kSteps = "id,arrival_s,gpus,model,steps\nA,0,1,M,100\nB,0,2,M,100\nC,0,1,M,100\n";
constexpr const char* kSpeeds = "{\"v100\": {\"('M', 1)\": {\"null\": 2}}}";

class SimulateCommand : public CliFixture {
 protected:
  static Outcome simulate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "simulate");
    return sextant_run(arguments);
  }
  static Json runs_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "--no-provenance"});
    const Outcome outcome = simulate(arguments);
    EXPECT_EQ(outcome.code, kDone) << outcome.err;
    return Json::parse(outcome.out).at("runs");
  }
  static void expect_bad(const std::vector<std::string>& arguments, const std::string& says) {
    const Outcome outcome = simulate(arguments);
    EXPECT_EQ(outcome.code, kBadInput) << testing::PrintToString(arguments);
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(outcome.out, "");
  }
};

// Textbook values: FIFO 15.25, SJF 14.25, SRTF 13.
TEST_F(SimulateCommand, MeansOfThreePolicies) {
  write("jobs.csv", kJobs);
  const Json runs = runs_of({"--trace", "jobs.csv", "--cluster", "gpu=1", "--policy", "fifo,sjf,srtf"});
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_DOUBLE_EQ(runs[0].at("mean_jct_s"), 15.25);
  EXPECT_DOUBLE_EQ(runs[1].at("mean_jct_s"), 14.25);
  EXPECT_DOUBLE_EQ(runs[2].at("mean_jct_s"), 13);
  EXPECT_EQ(runs[2].at("policy"), "srtf");
}

TEST_F(SimulateCommand, ThreadsAndRepetitionChangeNoByte) {
  const std::vector<std::string> command = {"--generate", "philly:jobs=60",
                                            "--cluster",  "gpu=8",
                                            "--cluster",  "gpu=4,slow=8",
                                            "--policy",   "fifo,srtf",
                                            "--load",     "1,3",
                                            "--seeds",    "3",
                                            "--faults",   "crash:mtbf=1d:mttr=1h",
                                            "--format",   "csv"};
  std::vector<std::string> alone = command;
  alone.insert(alone.end(), {"--threads", "1"});
  const Outcome first = simulate(alone);
  EXPECT_EQ(first.code, kDone) << first.err;
  EXPECT_EQ(simulate(command).out, first.out);
  EXPECT_EQ(std::ranges::count(first.out, '\n'), 1 + 2 * 2 * 3 * 2);
}

TEST_F(SimulateCommand, Files) {
  write("jobs.csv", kJobs);
  const Outcome outcome =
      simulate({"--trace", "jobs.csv", "--cluster", "gpu=1", "--jobs-out", "out.csv", "--timeline-out",
                "t.json", "--plot", "j.svg", "--plot-utilization", "u.svg"});
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(read("out.csv"), testing::StartsWith("job_id,arrival_s,start_s,completion_s,jct_s,"));
  EXPECT_TRUE(Json::parse(read("t.json")).contains("traceEvents"));
  EXPECT_THAT(read("j.svg"), testing::StartsWith("<svg"));
  EXPECT_THAT(read("u.svg"), testing::StartsWith("<svg"));
}

// Nobody timed M on two GPUs: B is named, the others run.
TEST_F(SimulateCommand, JobsThatCanNeverRunAreNamed) {
  write("jobs.csv", kSteps);
  write("speeds.json", kSpeeds);
  const Outcome outcome = simulate({"--trace", "jobs.csv", "--throughputs", "speeds.json", "--cluster",
                                    "v100=4", "--policy", "max-min", "--json"});
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out).at("runs").at(0).at("completed"), 2);
  EXPECT_THAT(outcome.err, HasSubstr("1 job can never run, because nobody knows how fast they run on any "
                                     "type that they may use: job B"));
}

// Two policies and thousands of seeds: whatever the moment, one policy may have a run more than the other.
TEST_F(SimulateCommand, CtrlCKeepsTheRunsThatAreDone) {
  std::jthread user([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    kill(getpid(), SIGINT);
  });
  const Outcome outcome = simulate({"--generate", "philly:jobs=200", "--cluster", "gpu=16", "--policy",
                                    "fifo,srtf,las", "--seeds", "200000", "--json", "--no-provenance"});
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("interrupted: "));
  EXPECT_GT(Json::parse(outcome.out).at("runs").size(), 0U);
}

// The second run would take hours: the second Ctrl-C gives it up, and the first run is kept.
TEST_F(SimulateCommand, CtrlCTwiceGivesUpTheRunInHand) {
  std::jthread user([] {
    for (int i = 0; i < 2; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      kill(getpid(), SIGINT);
    }
  });
  const Outcome outcome = simulate({"--generate", "philly:jobs=30000", "--cluster", "gpu=16", "--policy",
                                    "fifo,max-min", "--threads", "1", "--json", "--no-provenance"});
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("interrupted: 1 of 2 runs were done"));
  const Json runs = Json::parse(outcome.out).at("runs");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].at("policy"), "fifo");
}

TEST_F(SimulateCommand, TheVerdictStandsAboveChosenColumnsToo) {
  write("jobs.csv", kJobs);
  const std::vector<std::string> command = {"--trace", "jobs.csv", "--cluster",
                                            "gpu=1",   "--policy", "fifo,srtf"};
  const std::string all = simulate(command).out;
  const std::string verdict = all.substr(0, all.find("\n\n") + 2);
  EXPECT_THAT(verdict, HasSubstr("srtf"));
  std::vector<std::string> chosen = command;
  chosen.insert(chosen.end(), {"--columns", "policy,jobs"});
  EXPECT_THAT(simulate(chosen).out, testing::StartsWith(verdict + "policy"));
  chosen.insert(chosen.end(), {"--format", "csv"});
  EXPECT_EQ(simulate(chosen).out, "policy,jobs\nfifo,4\nsrtf,4\n");
}

// A list of key=value under --columns names columns of the trace; any other, those of the answer.
TEST_F(SimulateCommand, ColumnsOfACsvByMapOrByColumns) {
  write("log.csv", "when,n,s\n0,1,8\n1,1,4\n2,1,9\n3,1,5\n");
  const std::vector<std::string> command = {"--trace", "log.csv", "--cluster", "gpu=1"};
  for (const char* option : {"--map", "--columns"}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {option, "submit=when,gpus=n,duration=s"});
    EXPECT_DOUBLE_EQ(runs_of(arguments).at(0).at("mean_jct_s"), 15.25);
  }
  const Outcome both = simulate({"--trace", "log.csv", "--cluster", "gpu=1", "--map",
                                 "submit=when,gpus=n,duration=s", "--columns", "policy"});
  EXPECT_EQ(both.out, "policy\nfifo\n");
  expect_bad({"--trace", "log.csv", "--cluster", "gpu=1", "--columns", "gpus=n,policy"},
             "give the pairs to --map");
  expect_bad({"--trace", "log.csv", "--cluster", "gpu=1"}, "--map submit=COLUMN,gpus=COLUMN,duration=COLUMN");
}

// SRTF 13 s against FIFO 15.25 s: 14.8 % shorter, of four jobs only. C waits 16 s longer for it.
TEST_F(SimulateCommand, TheVerdictStandsAboveTheTable) {
  write("jobs.csv", kJobs);
  const Outcome outcome = simulate({"--trace", "jobs.csv", "--cluster", "gpu=1", "--policy", "fifo,srtf"});
  EXPECT_THAT(outcome.out,
              testing::StartsWith("srtf is best by mean JCT, 13.0 s: 14.8 % shorter than under fifo, the "
                                  "runner-up; too few jobs for an interval, so it may be chance.\n"));
  EXPECT_THAT(outcome.out, HasSubstr("What srtf costs: the p99 JCT, "));
  EXPECT_THAT(outcome.out, HasSubstr("\n\npolicy "));
  EXPECT_THAT(outcome.out, HasSubstr("FTF max: "));
}

// Twice as much work arrives as one GPU does: until the last arrival 39 jobs would run for 20 s and one
// for 10.
TEST_F(SimulateCommand, OneRestartIsOne) {
  EXPECT_THAT(
      simulate({"--generate", "philly:jobs=5", "--cluster", "v100=8", "--faults", "crash:mtbf=1d"}).out,
      HasSubstr("on starts, checkpoints, 1 restart and the work that these undo."));
}

TEST_F(SimulateCommand, ALoadAboveOneIsUnstable) {
  std::string jobs = "arrival_s,gpus,reference_s\n";
  for (int i = 0; i < 41; ++i) jobs += std::to_string(10 * i) + ",1,20\n";
  write("jobs.csv", jobs);
  const Outcome outcome = simulate({"--trace", "jobs.csv", "--cluster", "gpu=1"});
  EXPECT_THAT(outcome.out,
              HasSubstr("Overloaded: the jobs need at least 1.98 times the GPUs that there are."));
  EXPECT_THAT(simulate({"--trace", "jobs.csv", "--cluster", "gpu=4"}).out,
              testing::Not(HasSubstr("Overloaded")));
}

// Rounds of 10 s: 100 steps at 2 a second take 50 s, and the first round begins at once.
TEST_F(SimulateCommand, GavelsNames) {
  write("jobs.csv", "id,arrival_s,gpus,model,steps\nA,0,1,M,100\nB,0,1,M,100\n");
  write("speeds.json", kSpeeds);
  const Json runs = runs_of({"--trace", "jobs.csv", "--throughputs", "speeds.json", "--cluster", "v100=2",
                             "--gavel-compatible", "--policy", "fifo_perf,isolated,fifo", "--round", "10"});
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].at("policy"), "fifo_perf");
  EXPECT_DOUBLE_EQ(runs[0].at("mean_jct_s"), 50);
}

TEST_F(SimulateCommand, BadInput) {
  write("jobs.csv", kJobs);
  write("steps.csv", kSteps);
  write("speeds.json", kSpeeds);
  expect_bad({"--cluster", "gpu=1"}, "there are no jobs");
  expect_bad({"--trace", "jobs.csv", "--generate", "philly", "--cluster", "gpu=1"}, "not both");
  expect_bad({"--trace", "jobs.csv"}, "--cluster is missing");
  expect_bad({"--trace", "steps.csv", "--cluster", "v100=1"}, "given in steps");
  expect_bad({"--trace", "steps.csv", "--throughputs", "speeds.json", "--cluster", "v10=1"},
             "did you mean 'v100'?");
  expect_bad({"--trace", "jobs.csv", "--cluster", "gpu=1", "--policy", "fifoo"}, "did you mean 'fifo'?");
  expect_bad({"--trace", "jobs.csv", "--cluster", "gpu=1", "--policy", "max-min", "--mechanism", "event"},
             "need rounds");
  expect_bad({"--trace", "jobs.csv", "--cluster", "gpu=1", "--policy", "srtf", "--gavel-compatible"},
             "gives no shares");
  expect_bad({"--trace", "jobs.csv", "--cluster", "gpu=1", "--replay-allocations", "x"},
             "--gavel-compatible");
  for (const char* option :
       {"--faults", "--startup", "--restart", "--until", "--checkpoint", "--timeline-out"}) {
    expect_bad({"--trace", "jobs.csv", "--cluster", "gpu=1", "--policy", "isolated", "--gavel-compatible",
                option, "x"},
               std::string(option) + ": error: Gavel's simulator has none");
  }
  expect_bad({"--trace", "jobs.csv", "--cluster", "gpu=1", "--load", "nan"}, "is no load");
  expect_bad({"--trace", "jobs.csv", "--cluster", "gpu=1", "--window", "3"}, "is no range");
  expect_bad({"--trace", "jobs.csv", "--cluster", "gpu=1", "--checkpoint", "daly"}, "--checkpoint-cost");
  expect_bad({"--trace", "jobs.csv", "--cluster", "gpu=1", "--startup", "1e300"}, "no time");
  expect_bad({"--trace", "jobs.csv", "--cluster", "gpu=1", "--round", "0"}, "millisecond");
  expect_bad({"--trace", "jobs.csv", "--cluster", "v100=1", "--predict"}, "names no model");
}

}  // namespace
}  // namespace sextant::cli::test
