// sextant spans from the command line: recordings of PyTorch's profiler, and what people are warned of.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/core/json.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;

// Two steps of 1 ms each: a kernel for 600 us, and a collective of which the last 200 us are exposed.
std::string profile(int rank, bool steps = true) {
  Json events = Json::array();
  for (int step = 0; step < 2; ++step) {
    const int at = 1000 * step;
    const auto add = [&](const char* category, const std::string& name, int tid, int start, int length) {
      events.push_back({{"ph", "X"},
                        {"cat", category},
                        {"name", name},
                        {"pid", 0},
                        {"tid", tid},
                        {"ts", at + start},
                        {"dur", length}});
    };
    if (steps) add("user_annotation", "ProfilerStep#" + std::to_string(step), 1, 0, 1000);
    add("cpu_op", "aten::mm", 1, 0, 50);
    add("kernel", "gemm", 7, 100, 600);
    add("kernel", "ncclDevKernel_AllReduce", 20, 500, 400);
  }
  return Json({{"distributedInfo", {{"rank", rank}}}, {"traceEvents", events}}).dump();
}

class SpansCommand : public CliFixture {};

TEST_F(SpansCommand, AProfileOfSeveralRanks) {
  write("a.json", profile(0));
  write("b.json", profile(1));
  const Outcome table = sextant_run({"spans", "analyze", "a.json", "b.json"});
  ASSERT_EQ(table.code, kDone) << table.err;
  EXPECT_THAT(table.out,
              HasSubstr("2 steps of 2 ranks, median 1.00 ms: 60.0 % compute, 20.0 % communication that "
                        "nothing hides, 20.0 % idle"));
  EXPECT_THAT(table.out, HasSubstr("gemm"));
  const Json json = Json::parse(sextant_run({"spans", "analyze", "a.json", "b.json", "--json"}).out);
  EXPECT_EQ(json["schema"], "sextant.profile-analysis/1");
  EXPECT_EQ(json["by_rank"].size(), 2U);
  EXPECT_NEAR(json["parts"][1]["exposed_s"].get<double>(), 200e-6, 1e-9);
  const Outcome twice = sextant_run({"spans", "analyze", "a.json", "a.json"});
  EXPECT_EQ(twice.code, kBadInput);
  EXPECT_THAT(twice.err, HasSubstr("holds rank 0"));
}

TEST_F(SpansCommand, ATableIsNoSpans) {
  write("t.csv", "net,gpu\nresnet50,a100\n");
  EXPECT_THAT(
      sextant_run({"spans", "analyze", "t.csv"}).err,
      testing::AllOf(HasSubstr("t.csv:1:1: error: this is no file of spans"), HasSubstr("traceEvents")));
}

TEST_F(SpansCommand, AProfileIsConverted) {
  write("a.json", profile(0));
  const Outcome otlp = sextant_run({"spans", "convert", "a.json", "--to", "otlp"});
  ASSERT_EQ(otlp.code, kDone) << otlp.err;
  EXPECT_THAT(otlp.out, HasSubstr("GPU 0, stream 7"));
  write("otlp.json", otlp.out);
  EXPECT_EQ(sextant_run({"spans", "analyze", "otlp.json"}).out,
            sextant_run({"spans", "analyze", "a.json"}).out);
}

TEST_F(SpansCommand, WarningsAreSaidToPeopleToo) {
  write("a.json", profile(0, false));
  const Outcome outcome = sextant_run({"spans", "analyze", "a.json"});
  ASSERT_EQ(outcome.code, kDone);
  EXPECT_THAT(outcome.err, HasSubstr("warning: the recording marks no steps"));
}

TEST_F(SpansCommand, QuestionsThatAProfileCannotAnswer) {
  write("a.json", profile(0));
  const Outcome outcome = sextant_run({"spans", "analyze", "a.json", "--what-if", "communication=2"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("--what-if: error: a recording of a profiler has operators"));
  write("none.json", R"({"traceEvents": [{"ph": "X", "name": "a", "ts": 0, "dur": 1}]})");
  const Outcome none = sextant_run({"spans", "analyze", "none.json"});
  EXPECT_EQ(none.code, kBadInput);
  EXPECT_THAT(none.err, HasSubstr("none.json: error: there is no complete iteration"));
}

}  // namespace
}  // namespace sextant::cli::test
