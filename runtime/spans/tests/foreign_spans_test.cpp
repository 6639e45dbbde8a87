// Traces as other programs write them, and files that are wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/spans/span.h"

namespace sextant::spans {
namespace {

std::string error(const std::string& text) {
  return sextant::test::error_of([&] { (void)read_spans(text, "t.json"); });
}

TEST(ForeignSpans, BeginAndEndMakeSpansThatLieInEachOther) {
  const SpanSet set = read_spans(R"([
    {"ph": "B", "name": "step", "pid": 7, "tid": "main", "ts": "10"},
    {"ph": "B", "name": "forward", "pid": 7, "tid": "main", "ts": 11.5, "args": {"batch": 8, "flow": [1, 2]}},
    {"ph": "E", "pid": 7, "tid": "main", "ts": 13},
    {"ph": "X", "name": "elsewhere", "pid": 7, "tid": 3, "ts": 12, "dur": 1},
    {"ph": "C", "name": "memory", "pid": 7, "ts": 12, "args": {"bytes": 3}},
    {"ph": "E", "pid": 7, "tid": "main", "ts": 20},
    {"ph": "E", "pid": 7, "tid": "main", "ts": 21},
    {"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "trainer"}},
    {"ph": "B", "name": "open", "pid": 7, "tid": "main", "ts": 22},
    {"ph": "i", "name": "last", "pid": 7, "tid": "main", "ts": 30},
    {"ph": "X", "name": "end", "pid": 7, "tid": 3, "ts": 29, "dur": 6},)",
                                 "t.json");  // the recorder died: no ] at the end
  ASSERT_EQ(set.spans.size(), 5U);
  EXPECT_EQ(set.processes.at(7), "trainer");
  const Span& step = set.spans[0];
  const Span& forward = set.spans[1];
  EXPECT_EQ(step.name, "step");
  EXPECT_EQ(step.end_ns, 20'000);
  EXPECT_EQ(forward.name, "forward");
  EXPECT_EQ(forward.start_ns, 11'500);
  EXPECT_EQ(forward.end_ns, 13'000);
  EXPECT_EQ(forward.parent, step.id);
  EXPECT_EQ(forward.thread, step.thread);
  EXPECT_EQ(forward.attributes[0], (std::pair<std::string, SpanValue>{"batch", std::int64_t{8}}));
  EXPECT_EQ(forward.attributes[1], (std::pair<std::string, SpanValue>{"flow", std::string("[1,2]")}));
  EXPECT_EQ(set.spans[2].name, "elsewhere");
  EXPECT_EQ(set.spans[2].parent, 0U);  // another thread
  EXPECT_EQ(set.spans[3].name, "open");
  EXPECT_EQ(set.spans[3].end_ns, 35'000);  // the last instant of the file
  EXPECT_NE(set.trace, TraceId{});
}

TEST(ForeignSpans, RequestsOfACollectorStandOneBehindTheOther) {
  const std::string line =
      R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"4BF92F3577B34DA6A3CE929D0E0E4736",)"
      R"("spanId":"00F067AA0BA902B7","parentSpanId":"","name":"x","startTimeUnixNano":5,"endTimeUnixNano":"9",)"
      R"("attributes":[{"key":"tags","value":{"arrayValue":{"values":[]}}}]}]}],)"
      R"("resource":{"attributes":[{"key":"process.pid","value":{"intValue":42}}]}}]})";
  const SpanSet set = read_spans(line + "\n" + line + "\n", "t.json");
  ASSERT_EQ(set.spans.size(), 2U);
  EXPECT_EQ(set.trace, (TraceId{0x4bf92f3577b34da6U, 0xa3ce929d0e0e4736U}));
  EXPECT_EQ(set.spans[0].process, 42);
  EXPECT_EQ(set.spans[0].id, 0x00f067aa0ba902b7U);
  EXPECT_EQ(set.spans[0].parent, 0U);
  EXPECT_EQ(set.spans[0].start_ns, 5);
  EXPECT_EQ(set.spans[0].attributes[0].second, SpanValue(std::string(R"({"values":[]})")));
}

TEST(ForeignSpans, ProcessesMayHaveNamesForNumbers) {
  const SpanSet set = read_spans(
      R"({"traceEvents":[{"ph":"X","name":"a","pid":"Spans","tid":"t","ts":1,"dur":2}]})", "t.json");
  EXPECT_EQ(set.processes.at(set.spans[0].process), "Spans");
}

TEST(ForeignSpans, FaultsAreFoundWithTheirPlace) {
  EXPECT_EQ(error(" \n").substr(0, 51), "t.json:2:1: error: no spans: the file is empty\n  hi");
  EXPECT_EQ(error("{}").substr(0, 60), "t.json:1:1: error: neither traceEvents nor resourceSpans\n  h");
  EXPECT_EQ(error("[\n {\"ph\":\"X\",\"ts\":\"soon\"}]"),
            "t.json:2:2: error: 'ts' is no number of microseconds\n  hint: as in \"ts\": 12.5");
  EXPECT_EQ(error("[\n {\"ph\":\"X\",\"ts\":1,\"dur\":-1}]"),
            "t.json:2:2: error: span '' ends before it starts");
  EXPECT_EQ(error("{\"traceEvents\": [{\"ph\": \"X\"").substr(0, 77),
            "t.json:1:17: error: a value without an end\n  hint: the file may be cut off");
  EXPECT_EQ(error("[\n{\"ph\":\"X\",\n\"ts\":01}]").substr(0, 20), "t.json:3:7: error: s");
  EXPECT_EQ(error(R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"spanId":"a/+="}]}]}]})"),
            "t.json:1:44: error: 'spanId' is not 16 hexadecimal digits\n"
            "  hint: OTLP/JSON does not use base64 for ids");
  EXPECT_EQ(error(std::string(300, '[')), "t.json:1:202: error: nested too deeply");
  EXPECT_THAT(error("7"), testing::HasSubstr("t.json:1:1: error: this is no file of spans"));
}

}  // namespace
}  // namespace sextant::spans
