// sextant simulate from the command line: what is run, what is written, what is refused.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

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
                "t.json", "--plot-jct", "j.svg", "--plot-utilization", "u.svg"});
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
  EXPECT_THAT(outcome.err, HasSubstr("1 job can never run, because nobody knows how fast they run on any type that they may use: job B"));
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
