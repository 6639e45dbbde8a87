#include "sextant/measure/span_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "sextant/measure/clock.h"

namespace sextant::measure {
namespace {

constexpr spans::TraceContext kDriver{.trace = {7, 9}, .span = 5};

const spans::Span& named(const spans::SpanSet& set, const std::string& name, std::int64_t occurrence = 0) {
  for (const spans::Span& span : set.spans)
    if (span.name == name && occurrence-- == 0) return span;
  throw std::logic_error("no span " + name);
}

std::vector<SpanNote> iteration_notes(std::int64_t iteration) {
  const std::int64_t at = 1000 * (iteration + 1);
  return {{.name = "forward", .start = at, .end = at + 300, .iteration = iteration},
          {.name = "backward", .start = at + 300, .end = at + 700, .iteration = iteration},
          {.name = "communication",
           .start = at + 500,
           .end = at + 800,
           .iteration = iteration,
           .bucket = 0,
           .bytes = 64,
           .thread = 1,
           .ready = at + 450},
          {.name = "iteration", .start = at, .end = at + 900, .iteration = iteration}};
}

spans::SpanSet recorded(std::int64_t rank, std::int64_t iterations) {
  SpanRecorder recorder(kDriver, rank, 3);
  for (std::int64_t i = 0; i < iterations; ++i)
    for (const SpanNote& note : iteration_notes(i)) recorder.add(note);
  return recorder.finish("worker " + std::to_string(rank));
}

TEST(SpanRecorder, ParentsAreTheDriverTheProcessAndTheIteration) {
  const spans::SpanSet set = recorded(1, 2);
  EXPECT_EQ(set.trace, kDriver.trace);
  EXPECT_EQ(set.processes.at(1), "worker 1");
  ASSERT_EQ(set.spans.size(), 9U);
  const spans::Span& process = named(set, "process");
  EXPECT_EQ(process.parent, kDriver.span);
  EXPECT_EQ(process.end_ns - process.start_ns, 2900 - 1000);
  for (std::int64_t i = 0; i < 2; ++i) {
    const spans::Span& iteration = named(set, "iteration", i);
    EXPECT_EQ(iteration.parent, process.id);
    EXPECT_EQ(named(set, "forward", i).parent, iteration.id);
    EXPECT_EQ(named(set, "communication", i).parent, iteration.id);
  }
}

TEST(SpanRecorder, EachRankKnowsTheIdsOfTheOthers) {
  const spans::SpanSet first = recorded(0, 3);
  const spans::SpanSet last = recorded(2, 3);
  for (std::int64_t i = 0; i < 3; ++i) {
    const spans::Span& here = named(first, "communication", i);
    const spans::Span& there = named(last, "communication", i);
    ASSERT_EQ(here.links.size(), 2U);  // ranks 1 and 2
    EXPECT_EQ(here.links[1], there.id);
    EXPECT_EQ(there.links[0], here.id);
  }
  std::set<spans::SpanId> ids;
  for (const spans::Span& span : first.spans) ids.insert(span.id);
  for (const spans::Span& span : last.spans) ids.insert(span.id);
  EXPECT_EQ(ids.size(), first.spans.size() + last.spans.size());
}

TEST(SpanRecorder, AttributesSayWhatTheNoteSaid) {
  const spans::SpanSet set = recorded(0, 1);
  const spans::Span& span = named(set, "communication");
  const std::vector<std::pair<std::string, spans::SpanValue>> expected = {{"iteration", std::int64_t{0}},
                                                                          {"bucket", std::int64_t{0}},
                                                                          {"bytes", std::int64_t{64}},
                                                                          {"ready_ns", unix_ns(1450)}};
  EXPECT_EQ(span.attributes, expected);
  EXPECT_EQ(span.thread, 1);
  EXPECT_EQ(span.start_ns, unix_ns(1500));
  EXPECT_EQ(span.end_ns - span.start_ns, 300);
}

TEST(SpanRecorder, AServersSpanIsAChildOfTheMessageThatItAnswers) {
  SpanRecorder worker(kDriver, 0, 1);
  const SpanNote push{
      .name = "communication", .start = 10, .end = 90, .iteration = 4, .bucket = 2, .peer = 1};
  worker.add(push);
  SpanRecorder server(kDriver, 1, 1);
  server.add({.name = "apply", .start = 30, .end = 50, .iteration = 4, .bucket = 2, .peer = 0});
  server.add({.name = "pull", .start = 60, .end = 70, .parent = worker.context(push).span});
  const spans::SpanSet at_worker = worker.finish("worker 0");
  const spans::SpanSet at_server = server.finish("server 0");
  const spans::Span& message = named(at_worker, "communication");
  EXPECT_EQ(named(at_server, "apply").parent, message.id);
  EXPECT_EQ(named(at_server, "pull").parent, message.id);
  EXPECT_TRUE(message.links.empty());
}

TEST(SpanRecorder, WhatHappensTwiceHasTwoIds) {
  SpanRecorder recorder(kDriver, 0, 1);
  for (std::int64_t i = 0; i < 3; ++i)
    recorder.add({.name = "forward", .start = 10 * i, .end = 10 * i + 5, .iteration = 0});
  const spans::SpanSet set = recorder.finish("worker 0");
  EXPECT_NE(named(set, "forward", 0).id, named(set, "forward", 1).id);
  EXPECT_NE(named(set, "forward", 1).id, named(set, "forward", 2).id);
}

// Threads meet in any order, and the file is the same.
TEST(SpanRecorder, TheOrderOfThreadsDoesNotShow) {
  const auto run = [](bool turned) {
    SpanRecorder recorder(kDriver, 0, 2);
    const auto add = [&](std::int64_t thread) {
      for (std::int64_t i = 0; i < 1000; ++i)
        recorder.add({.name = "communication",
                      .start = 10 * i,
                      .end = 10 * i + 5,
                      .iteration = i / 2,
                      .bucket = 0,
                      .thread = thread});
    };
    std::thread other([&] { add(turned ? 1 : 2); });
    add(turned ? 2 : 1);
    other.join();
    return to_perfetto(recorder.finish("worker 0")).dump();
  };
  EXPECT_EQ(run(false), run(true));
}

TEST(SpanRecorder, NothingRecordedIsAnEmptySet) {
  const spans::SpanSet set = SpanRecorder(kDriver, 0, 1).finish("worker 0");
  EXPECT_TRUE(set.spans.empty());
  EXPECT_EQ(set.processes.size(), 1U);
}

TEST(SpanRecorder, FilesOfRanksReadBack) {
  const spans::SpanSet set = recorded(2, 5);
  EXPECT_EQ(spans::read_spans(to_perfetto(set).dump(), "spans.2.json"), set);
}

}  // namespace
}  // namespace sextant::measure
