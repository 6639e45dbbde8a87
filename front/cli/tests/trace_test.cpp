// sextant trace from the command line: what is generated, converted and summarized, and what is refused.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/core/json.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;

constexpr const char* kPhilly = "submit_s,duration_s,num_gpus,vc\n0,3600,8,a\n1800,7200,1,b\n3600,0,1,b\n";
constexpr const char* kTraceSpeeds = "{\"v100\": {\"('A', 1)\": {\"null\": 2}}}";

class TraceCommand : public CliFixture {
 protected:
  static Outcome trace(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "trace");
    return sextant_run(arguments);
  }
  static void expect_bad(const std::vector<std::string>& arguments, const std::string& says) {
    const Outcome outcome = trace(arguments);
    EXPECT_EQ(outcome.code, kBadInput) << testing::PrintToString(arguments);
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(outcome.out, "");
  }
};

// 8 + 2 GPU-hours; one arrival in 1,800 s of 5 GPU-hours: 10 busy GPUs of 20.
TEST_F(TraceCommand, Summarize) {
  write("p.csv", kPhilly);
  const Outcome json = trace({"summarize", "p.csv", "--gpus", "20", "--json", "--no-provenance"});
  const Json s = Json::parse(json.out).at("traces").at(0);
  EXPECT_EQ(s.at("format"), "philly");
  EXPECT_EQ(s.at("jobs"), 2);
  EXPECT_EQ(s.at("dropped").at("no run time"), 1);
  EXPECT_DOUBLE_EQ(s.at("gpu_hours"), 10);
  EXPECT_DOUBLE_EQ(s.at("offered_load"), 0.5);
  const Outcome screen = trace({"summarize", "p.csv", "p.csv"});
  EXPECT_EQ(screen.code, kDone);
  EXPECT_THAT(screen.out, HasSubstr("p.csv: left out of 3 rows: 1 no run time"));
  const Outcome narrow = sextant_run({"trace", "summarize", "p.csv", "--gpus", "20"}, {.width = 80});
  EXPECT_THAT(narrow.out, HasSubstr("GPU-hours")) << "the first figure of who runs the cluster";
}

TEST_F(TraceCommand, ConvertKeepsTheJobs) {
  write("p.csv", kPhilly);
  const Outcome direct = trace({"convert", "p.csv"});
  EXPECT_EQ(direct.out, "id,arrival_s,gpus,reference_s,user\n0,0,8,3600,a\n1,1800,1,7200,b\n");
  const Outcome outcome = trace({"convert", "p.csv", "--out", "s.csv"});
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_EQ(read("s.csv"), direct.out);
  EXPECT_EQ(files(), (std::vector<std::string>{"p.csv", "s.csv"}));
  EXPECT_EQ(trace({"convert", "s.csv"}).out, direct.out);
}

TEST_F(TraceCommand, GenerateIsRepeatable) {
  const Outcome first = trace({"generate", "philly:jobs=50", "--seed", "3"});
  EXPECT_EQ(first.code, kDone) << first.err;
  EXPECT_EQ(trace({"generate", "philly", "--jobs", "50", "--seed", "3"}).out, first.out);
  EXPECT_NE(trace({"generate", "philly:jobs=50", "--seed", "4"}).out, first.out);
  write("speeds.json", kTraceSpeeds);
  const Outcome steps = trace({"generate", "gavel:jobs=3:models=A:durations=fixed", "--throughputs",
                               "speeds.json", "--to", "gavel", "--out", "g.trace"});
  EXPECT_EQ(steps.code, kDone) << steps.err;
  EXPECT_THAT(read("g.trace"), testing::StartsWith("A\t-\t-\t-\t0\t7200\t1\t1\t-1.000000\t0.000000\n"));
}

TEST_F(TraceCommand, BadInput) {
  write("p.csv", kPhilly);
  write("bad.csv", "submit_s,duration_s,num_gpus,vc\n5,1,1,a\n4,1,1,a\n");
  expect_bad({"summarize", "bad.csv"}, "bad.csv:3:1: error: this job arrives at 4 s");
  expect_bad({"summarize", "missing.csv"}, "missing.csv");
  expect_bad({"convert", "p.csv", "--to", "gavel", "--out", "x"}, "steps of named models");
  expect_bad({"convert", "p.csv", "--to", "xml"}, "--to");
  expect_bad({"generate", "gavle"}, "did you mean 'gavel'");
  expect_bad({"generate", "gavel:jbs=3"}, "did you mean 'jobs'");
  EXPECT_EQ(files(), (std::vector<std::string>{"bad.csv", "p.csv"}));  // nothing half-written
}

TEST_F(TraceCommand, FormatsAreListedAndDescribed) {
  EXPECT_THAT(sextant_run({"list", "trace-formats"}).out, HasSubstr("alibaba-v2023"));
  EXPECT_THAT(sextant_run({"describe", "trace-format", "sia"}).out, HasSubstr("bert"));
}

}  // namespace
}  // namespace sextant::cli::test
