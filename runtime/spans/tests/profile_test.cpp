// Recordings of PyTorch's profiler: read, joined, converted and analysed, against figures worked by hand.
#include "sextant/spans/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "error_of.h"
#include "recorded_profile.h"

namespace sextant::spans {
namespace {

using sextant::test::error_of;
using test::gpu_profile;
using test::legacy_profile;
using testing::HasSubstr;
using testing::IsEmpty;

SpanSet read(const Json& json, const std::string& name = "trace.json") {
  return read_spans(json.dump(), name);
}

const StepPart& part(const ProfileAnalysis& analysis, const std::string& name) {
  return *std::ranges::find(analysis.parts, name, &StepPart::name);
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

TEST(Profile, AStepIsDividedByWhatTheGpuDid) {
  const SpanSet set = read(gpu_profile());
  ASSERT_TRUE(is_profile(set));
  const ProfileAnalysis analysis = analyze_profile(set);
  EXPECT_TRUE(analysis.gpu);
  EXPECT_EQ(analysis.steps, 5);
  EXPECT_EQ(analysis.ranks, 1);
  EXPECT_THAT(analysis.warnings, IsEmpty());
  EXPECT_NEAR(analysis.step_s, 1000e-6, 1e-9);
  EXPECT_NEAR(part(analysis, "compute").exposed_s, 400e-6, 1e-9);
  EXPECT_NEAR(part(analysis, "communication").seconds, 300e-6, 1e-9);
  EXPECT_NEAR(part(analysis, "communication").exposed_s, 200e-6, 1e-9);  // 600 to 800
  EXPECT_NEAR(part(analysis, "copies").exposed_s, 50e-6, 1e-9);
  EXPECT_NEAR(part(analysis, "input").exposed_s, 100e-6, 1e-9);
  EXPECT_NEAR(part(analysis, "idle").exposed_s, 250e-6, 1e-9);
  double shares = 0;
  for (const StepPart& each : analysis.parts) shares += each.share;
  EXPECT_NEAR(shares, 1, 1e-9);
  EXPECT_NEAR(part(analysis, "compute").share, 5 * 400.0 / 5500, 1e-9);
}

TEST(Profile, SlowStepsAndWhatTookLonger) {
  const ProfileAnalysis analysis = analyze_profile(read(gpu_profile()));
  ASSERT_EQ(analysis.slow.size(), 1U);
  EXPECT_EQ(analysis.slow[0].step, 6);
  EXPECT_EQ(analysis.slow[0].part, "idle");
  EXPECT_NEAR(analysis.slow[0].seconds, 1500e-6, 1e-9);
  EXPECT_NEAR(analysis.slow[0].usual_s, 1000e-6, 1e-9);
  EXPECT_NEAR(analysis.slow[0].robust_z, 0.5 / (1.4826 * 0.01), 1e-6);  // the others agree: 1 % of the median
  EXPECT_EQ(analyze_profile(read(gpu_profile()), 4).steps, 1);
  EXPECT_THAT(error_of([] { analyze_profile(read(gpu_profile()), 5); }), HasSubstr("5 steps"));
}

TEST(Profile, KernelsCountForTheOperatorThatLaunchedThem) {
  const ProfileAnalysis analysis = analyze_profile(read(gpu_profile()));
  ASSERT_GE(analysis.operators.size(), 3U);
  EXPECT_EQ(analysis.operators[0].name, "aten::cudnn_convolution");  // by correlation and external id
  EXPECT_NEAR(analysis.operators[0].device_s, 400e-6, 1e-9);
  EXPECT_NEAR(analysis.operators[0].cpu_s, 180e-6, 1e-9);
  EXPECT_NEAR(analysis.operators[0].share, 2000.0 / 5500, 1e-9);
  const auto outer = std::ranges::find(analysis.operators, "aten::conv2d", &OperatorTotal::name);
  ASSERT_NE(outer, analysis.operators.end());
  EXPECT_NEAR(outer->cpu_s, 20e-6, 1e-9);  // 200 less the 180 of what it called
  EXPECT_NEAR(outer->calls, 1, 1e-12);
  ASSERT_EQ(analysis.kernels.size(), 3U);
  EXPECT_EQ(analysis.kernels[0].name, "sgemm");
  EXPECT_NEAR(analysis.kernels[1].device_s, 300e-6, 1e-9);
}

TEST(Profile, TracksAreThreadsAndStreams) {
  const SpanSet set = read(gpu_profile());
  EXPECT_EQ(set.processes.at(0), "rank 0");
  EXPECT_EQ(set.threads.at({0, 0}), "thread 101 (python)");
  std::vector<std::string> names;
  for (const auto& [key, name] : set.threads) names.push_back(name);
  EXPECT_THAT(names,
              testing::UnorderedElementsAre("thread 101 (python)", "GPU 0, stream 7", "GPU 0, stream 20"));
  const auto inner = std::ranges::find(set.spans, "aten::cudnn_convolution", &Span::name);
  const auto outer = std::ranges::find(set.spans, "aten::conv2d", &Span::name);
  EXPECT_EQ(inner->parent, outer->id);
  EXPECT_EQ(outer->start_ns, 5'000'000'100'000);
  for (const Span& span : set.spans) EXPECT_NE(span.name, "PyTorch Profiler (0)");  // a frame, and no work
}

// On the CPU: linear from 10 to 50, the all-reduce from 30 to 70 is exposed from 50 on.
TEST(Profile, BuildsWithoutKinetoWriteABareList) {
  const SpanSet set = read_spans(legacy_profile(), "trace.json");
  ASSERT_TRUE(is_profile(set));
  const ProfileAnalysis analysis = analyze_profile(set);
  EXPECT_FALSE(analysis.gpu);
  EXPECT_EQ(analysis.steps, 2);
  EXPECT_NEAR(part(analysis, "compute").exposed_s, 40e-6, 1e-10);
  EXPECT_NEAR(part(analysis, "communication").seconds, 40e-6, 1e-10);
  EXPECT_NEAR(part(analysis, "communication").exposed_s, 20e-6, 1e-10);
  EXPECT_NEAR(part(analysis, "idle").exposed_s, 40e-6, 1e-10);
  EXPECT_EQ(analysis.operators[0].name, "gloo:all_reduce");
  EXPECT_NEAR(analysis.operators[1].cpu_s, 25e-6, 1e-10);  // addmm
  EXPECT_NEAR(analysis.operators[2].cpu_s, 15e-6, 1e-10);  // linear without it
  EXPECT_THAT(analysis.kernels, IsEmpty());
}

TEST(Profile, RanksAreJoined) {
  const SpanSet joined =
      join_ranks({{"a.json", read(gpu_profile({.rank = 0}))},
                  {"b.json", read(gpu_profile({.rank = 1, .lengths = {1200, 1200, 1200}}))}});
  const ProfileAnalysis analysis = analyze_profile(joined);
  EXPECT_EQ(analysis.ranks, 2);
  EXPECT_EQ(analysis.steps, 3);  // 3, 4 and 5, which both have
  EXPECT_NEAR(analysis.step_s, 1200e-6, 1e-9);
  ASSERT_EQ(analysis.by_rank.size(), 2U);
  EXPECT_NEAR(analysis.by_rank[0].step_s, 1000e-6, 1e-9);
  EXPECT_NEAR(analysis.by_rank[1].idle_s, 450e-6, 1e-9);
  std::set<SpanId> ids;
  for (const Span& span : joined.spans) ids.insert(span.id);
  EXPECT_EQ(ids.size(), joined.spans.size());
}

TEST(Profile, ARankIsInTheFileOrItsNameOrGiven) {
  const std::string text = legacy_profile();
  EXPECT_EQ(read_spans(text, "runs/trace.rank3.json").spans[0].process, 3);
  EXPECT_EQ(read_spans(text, "rank_04.json").spans[0].process, 4);
  EXPECT_EQ(read_spans(text, "ranking/trace.json", 5).spans[0].process, 5);
  EXPECT_EQ(read(gpu_profile({.rank = 6}), "trace.rank3.json").spans[0].process, 6);
  EXPECT_THAT(error_of([&] {
                join_ranks({{"a.json", read(gpu_profile())}, {"b.json", read(gpu_profile())}});
              }),
              HasSubstr("b.json: error: the file holds rank 0, and so does a file before it"));
  const SpanSet other = read_spans(R"([{"ph":"X","name":"iteration","ts":0,"dur":5}])", "c.json");
  EXPECT_THAT(error_of([&] {
                join_ranks({{"c.json", other}, {"b.json", read(gpu_profile())}});
              }),
              HasSubstr("c.json: error: this is no recording"));
}

TEST(Profile, ConvertedProfilesAreAnalysedTheSame) {
  const SpanSet set = read(gpu_profile());
  for (const Json& form : {to_otlp(set), to_perfetto(set)}) {
    const SpanSet again = read_spans(form.dump(), "again.json");
    EXPECT_EQ(again, set);
    EXPECT_EQ(analyze_profile(again).operators.size(), analyze_profile(set).operators.size());
  }
}

TEST(Profile, PackedFilesAreUnpacked) {
  const std::string packed = gzip(gpu_profile().dump());
  EXPECT_EQ(read_spans(packed, "trace.json.gz").spans, read(gpu_profile()).spans);
  EXPECT_THAT(error_of([&] { read_spans(packed.substr(0, packed.size() / 2), "t.json.gz"); }),
              HasSubstr("t.json.gz: error: the packed file is cut off"));
  std::string damaged = packed;
  damaged[packed.size() / 2] ^= 0x55;
  EXPECT_THAT(error_of([&] { read_spans(damaged, "t.json.gz"); }), HasSubstr("t.json.gz: error: "));
  // A packed file inside a packed file is not looked into: there are some that hold themselves.
  EXPECT_THAT(error_of([&] { read_spans(gzip(packed), "t.json.gz"); }), HasSubstr("t.json.gz:1:1"));
}

TEST(Profile, WithoutStepsAllIsOneStep) {
  const ProfileAnalysis analysis =
      analyze_profile(read(gpu_profile({.lengths = {1000, 1000}, .steps = false})));
  EXPECT_EQ(analysis.steps, 1);
  EXPECT_NEAR(analysis.step_s, 1800e-6, 1e-9);  // from the first loader to the last collective
  ASSERT_EQ(analysis.warnings.size(), 1U);
  EXPECT_THAT(analysis.warnings[0], HasSubstr("marks no steps"));
}

TEST(Profile, OlderNamesOfCategoriesAndTimesFromABase) {
  Json json = gpu_profile();
  json["baseTimeNanoseconds"] = 1'700'000'000'000'000'000;
  for (Json& event : json["traceEvents"]) {
    if (event.value("cat", "") == "kernel") event["cat"] = "Kernel";
    if (event.value("cat", "") == "cpu_op") event["cat"] = "Operator";
  }
  // What had not ended when the recording did.
  json["traceEvents"].push_back(
      {{"ph", "X"}, {"cat", "Runtime"}, {"name", "open"}, {"ts", 6e9}, {"dur", -1}});
  const SpanSet set = read(json);
  const auto open = std::ranges::find(set.spans, "open", &Span::name);
  ASSERT_NE(open, set.spans.end());
  EXPECT_EQ(open->end_ns, open->start_ns);
  EXPECT_EQ(set.spans[0].start_ns, 1'700'005'000'000'000'000);
  EXPECT_NEAR(part(analyze_profile(set), "compute").exposed_s, 400e-6, 1e-9);
}

TEST(Profile, FaultsAreFoundWithTheirPlace) {
  const auto error = [](const std::string& text) { return error_of([&] { read_spans(text, "t.json"); }); };
  EXPECT_THAT(error("{\"distributedInfo\": {\"rank\": \"one\"},\n \"traceEvents\": []}"),
              HasSubstr("t.json:1:21: error: 'rank' is no number of a process"));
  EXPECT_THAT(error("{\"schemaVersion\": 1,\n \"traceEvents\": [\n{\"ph\": \"X\", \"cat\": \"kernel\", "
                    "\"ts\": \"now\"}]}"),
              HasSubstr("t.json:3:1: error: 'ts' is no number of microseconds"));
  EXPECT_THAT(error("{\"schemaVersion\": 1, \"baseTimeNanoseconds\": 1.5,\n \"traceEvents\": []}"),
              HasSubstr("t.json:1:45: error: 'baseTimeNanoseconds'"));
  EXPECT_THAT(error("{\"schemaVersion\": 1, \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\""),
              HasSubstr("the file may be cut off"));
  EXPECT_THAT(error_of([] { analyze_profile(SpanSet{}); }), HasSubstr("holds no work"));
}

}  // namespace
}  // namespace sextant::spans
