// What is written reads back as the same set, in either form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/core/rng.h"
#include "sextant/spans/span.h"

namespace sextant::spans {
namespace {

constexpr std::int64_t kNow = 1'790'000'000'000'000'000;  // ns since 1970, in 2026

std::string drawn_name(Rng& draw) {
  static const std::vector<std::string> kPieces = {"iteration", "bucket", "\"",        "\\",    "\n", "µs",
                                                   "",          "span",   "thread.id", "0",     "😀",  " ",
                                                   "/",         "{",      "]",         "\u007f"};
  std::string name;
  const std::uint64_t pieces = draw.below(4);
  for (std::uint64_t i = 0; i < pieces; ++i) name += kPieces[draw.below(kPieces.size())];
  return name;
}

SpanValue drawn_value(Rng& draw) {
  const std::uint64_t kind = draw.below(6);
  if (kind == 0) return static_cast<std::int64_t>(draw.bits());
  if (kind == 1) return draw.normal() * std::pow(10.0, static_cast<double>(draw.below(300)) - 150);
  if (kind == 2) return draw.below(2) == 1;
  if (kind == 3) return static_cast<double>(draw.below(100));  // whole, and still no integer
  if (kind == 4) return draw.below(8) == 0 ? std::numeric_limits<double>::infinity() : -0.0;
  return drawn_name(draw);
}

Span drawn_span(Rng& draw) {
  Span span;
  span.id = draw.bits() | 1;
  if (draw.below(2) == 1) span.parent = draw.bits() | 1;
  span.name = drawn_name(draw);
  span.process = static_cast<std::int64_t>(draw.below(4));
  span.thread = static_cast<std::int64_t>(draw.below(3));
  // Some traces run for years, so that microseconds lose the last digits.
  const std::uint64_t range = draw.below(10) == 0 ? 1'000'000'000'000'000'000 : 100'000'000'000;
  span.start_ns = kNow + static_cast<std::int64_t>(draw.below(range));
  span.end_ns = span.start_ns + static_cast<std::int64_t>(draw.below(range));
  const std::uint64_t attributes = draw.below(5);
  for (std::uint64_t i = 0; i < attributes; ++i) {
    std::string name = drawn_name(draw);
    span.attributes.emplace_back(std::move(name), drawn_value(draw));
  }
  const std::uint64_t links = draw.below(3);
  for (std::uint64_t i = 0; i < links; ++i) span.links.push_back(draw.bits() | 1);
  return span;
}

SpanSet drawn_set(std::uint64_t seed) {
  Rng draw = Rng(seed).stream("sets");
  SpanSet set;
  set.trace.high = draw.bits();
  set.trace.low = draw.bits();
  for (std::int64_t process = 0; process < 6; ++process)
    if (draw.below(3) > 0) set.processes[process] = drawn_name(draw);
  for (std::int64_t thread = 0; thread < 3; ++thread)
    if (draw.below(3) == 0) set.threads[{2, thread}] = "track " + drawn_name(draw);
  const std::uint64_t spans = draw.below(12);
  for (std::uint64_t i = 0; i < spans; ++i) set.spans.push_back(drawn_span(draw));
  for (Span& span : set.spans)  // some links and parents inside the set
    if (draw.below(3) == 0) span.links.push_back(set.spans[draw.below(spans)].id);
  sort_spans(set);
  return set;
}

TEST(SpanForms, PerfettoReadsBackAsTheSameSet) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const SpanSet set = drawn_set(seed);
    ASSERT_EQ(read_spans(to_perfetto(set).dump(), "t.json"), set) << "seed " << seed;
  }
}

TEST(SpanForms, OtlpReadsBackAsTheSameSet) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SpanSet set = drawn_set(seed);
    if (set.spans.empty()) set.trace = {};  // the form has no place for it but in a span
    SpanSet read = read_spans(to_otlp(set).dump(), "t.json");
    if (set.spans.empty()) read.trace = {};
    ASSERT_EQ(read, set) << "seed " << seed;
  }
}

// Two ranks and a server: the smallest set with a link and a parent elsewhere.
SpanSet small_set() {
  SpanSet set{.trace = {1, 2}, .processes = {{0, "worker 0"}, {1, "worker 1"}, {2, "server 0"}}};
  set.spans = {{.id = 10,
                .name = "communication",
                .process = 0,
                .thread = 1,
                .start_ns = kNow + 1500,
                .end_ns = kNow + 4000,
                .attributes = {{"bucket", std::int64_t{3}}},
                .links = {11}},
               {.id = 11,
                .name = "communication",
                .process = 1,
                .thread = 1,
                .start_ns = kNow,
                .end_ns = kNow + 4001,
                .links = {10}},
               {.id = 12,
                .parent = 10,
                .name = "apply",
                .process = 2,
                .start_ns = kNow + 2000,
                .end_ns = kNow + 3000}};
  return set;
}

TEST(SpanForms, PerfettoHasTimesNamesAndArrows) {
  const Json json = to_perfetto(small_set());
  std::map<std::string, std::vector<Json>> events;
  for (const Json& event : json.at("traceEvents")) events[event.at("ph").get<std::string>()].push_back(event);
  ASSERT_EQ(events["X"].size(), 3U);
  EXPECT_EQ(events["X"][0].at("ts"), 1.5);  // µs since the first span
  EXPECT_EQ(events["X"][0].at("dur"), 2.5);
  EXPECT_EQ(events["X"][0].at("args").at("bucket"), 3);
  ASSERT_EQ(events["M"].size(), 6U);  // three processes, a thread each
  EXPECT_EQ(events["M"][2].at("args").at("name"), "server 0");
  // From the earlier rank to the later, and from the parent to the server's span.
  ASSERT_EQ(events["s"].size(), 2U);
  ASSERT_EQ(events["f"].size(), 2U);
  EXPECT_EQ(events["s"][0].at("pid"), 1);
  EXPECT_EQ(events["f"][0].at("pid"), 0);
  EXPECT_EQ(events["f"][0].at("ts"), 1.5);
  EXPECT_EQ(events["s"][1].at("pid"), 0);
  EXPECT_EQ(events["f"][1].at("pid"), 2);
  EXPECT_EQ(events["f"][1].at("ts"), 2.0);
}

TEST(SpanForms, OtlpIsWhatTheProtocolWants) {
  const Json json = to_otlp(small_set());
  ASSERT_EQ(json.at("resourceSpans").size(), 3U);
  const Json& worker = json.at("resourceSpans").at(0);
  EXPECT_EQ(worker.at("resource").at("attributes").at(0).at("key"), "service.name");
  EXPECT_EQ(worker.at("resource").at("attributes").at(0).at("value").at("stringValue"), "worker 0");
  const Json& span = worker.at("scopeSpans").at(0).at("spans").at(0);
  EXPECT_EQ(span.at("traceId"), "00000000000000010000000000000002");
  EXPECT_EQ(span.at("spanId"), "000000000000000a");
  EXPECT_EQ(span.at("startTimeUnixNano"), "1790000000000001500");
  EXPECT_EQ(span.at("attributes").at(1).at("value").at("intValue"), "3");
  EXPECT_EQ(span.at("links").at(0).at("spanId"), "000000000000000b");
}

}  // namespace
}  // namespace sextant::spans
