#include "sextant/measure/span_recorder.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "sextant/core/rng.h"
#include "sextant/measure/clock.h"

namespace sextant::measure {
namespace {

constexpr std::size_t kExpected = 4096;  // notes before the first time that memory moves
constexpr std::string_view kProcess = "process";
constexpr std::string_view kIteration = "iteration";
constexpr std::string_view kCommunication = "communication";

// What makes a span's id. The same part of a collective has the same key on all ranks but for the rank.
struct SpanKey {
  std::int64_t rank = 0;
  std::string_view name;
  std::int64_t iteration = -1;
  std::int64_t bucket = -1;
  std::int64_t occurrence = 0;  // of what else is the same: two forward passes of one iteration
};

spans::SpanId id_of(const spans::TraceId& trace, const SpanKey& key) {
  const auto index = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  Rng draw = Rng(trace.high)
                 .stream("trace", trace.low)
                 .stream(key.name, index(key.rank))
                 .stream("iteration", index(key.iteration))
                 .stream("bucket", index(key.bucket))
                 .stream("occurrence", index(key.occurrence));
  spans::SpanId id = draw.bits();
  while (id == 0) id = draw.bits();  // 0 means none
  return id;
}

SpanKey key_of(std::int64_t rank, const SpanNote& note) {
  return {.rank = rank, .name = note.name, .iteration = note.iteration, .bucket = note.bucket};
}

// The notes of one process on their way to spans.
class NotesReader {
 public:
  NotesReader(const spans::TraceContext& parent, std::int64_t rank, std::int64_t workers)
      : parent_(parent), rank_(rank), workers_(workers) {
    process_ = id_of(parent.trace, {.rank = rank, .name = kProcess});
  }

  void note_iterations(const std::vector<SpanNote>& notes) {
    for (const SpanNote& note : notes)
      if (note.name == kIteration) iterations_.insert(note.iteration);
  }

  spans::Span span(const SpanNote& note) {
    SpanKey key = key_of(rank_, note);
    key.occurrence = occurrences_[id_of(parent_.trace, key)]++;
    spans::Span span;
    span.id = id_of(parent_.trace, key);
    span.parent = parent_of(note);
    span.name = note.name;
    span.process = rank_;
    span.thread = note.thread;
    span.start_ns = unix_ns(note.start);
    span.end_ns = unix_ns(std::max(note.start, note.end));
    const auto attribute = [&](const char* name, std::int64_t value) {
      if (value >= 0) span.attributes.emplace_back(name, value);
    };
    attribute("iteration", note.iteration);
    attribute("bucket", note.bucket);
    attribute("bytes", note.bytes);
    attribute("peer", note.peer);
    if (note.ready >= 0) span.attributes.emplace_back("ready_ns", unix_ns(note.ready));
    link(note, key, span);
    return span;
  }

  [[nodiscard]] spans::Span process_span(const std::vector<spans::Span>& spans) const {
    spans::Span process;
    process.id = process_;
    process.parent = parent_.span;
    process.name = kProcess;
    process.process = rank_;
    process.start_ns = spans.front().start_ns;
    process.end_ns = spans.front().end_ns;
    for (const spans::Span& span : spans) {
      process.start_ns = std::min(process.start_ns, span.start_ns);
      process.end_ns = std::max(process.end_ns, span.end_ns);
    }
    return process;
  }

 private:
  [[nodiscard]] spans::SpanId parent_of(const SpanNote& note) const {
    if (note.parent != 0) return note.parent;
    if (note.name == kIteration) return process_;
    // A server works for the communication of the worker that it answers.
    if (rank_ >= workers_ && note.peer >= 0)
      return id_of(
          parent_.trace,
          {.rank = note.peer, .name = kCommunication, .iteration = note.iteration, .bucket = note.bucket});
    if (iterations_.contains(note.iteration))
      return id_of(parent_.trace, {.rank = rank_, .name = kIteration, .iteration = note.iteration});
    return process_;
  }

  void link(const SpanNote& note, SpanKey key, spans::Span& span) const {
    const bool collective = note.name == kCommunication && note.bucket >= 0 && note.peer < 0;
    if (!collective || rank_ >= workers_) return;
    for (key.rank = 0; key.rank < workers_; ++key.rank)
      if (key.rank != rank_) span.links.push_back(id_of(parent_.trace, key));
  }

  const spans::TraceContext& parent_;
  std::int64_t rank_;
  std::int64_t workers_;
  spans::SpanId process_ = 0;
  std::unordered_set<std::int64_t> iterations_;
  std::unordered_map<spans::SpanId, std::int64_t> occurrences_;
};

}  // namespace

SpanRecorder::SpanRecorder(spans::TraceContext parent, std::int64_t rank, std::int64_t workers)
    : parent_(parent), rank_(rank), workers_(workers) {
  notes_.reserve(kExpected);
}

void SpanRecorder::add(const SpanNote& note) {
  const std::lock_guard lock(mutex_);
  notes_.push_back(note);
}

spans::TraceContext SpanRecorder::context(const SpanNote& note) const {
  return {.trace = parent_.trace, .span = id_of(parent_.trace, key_of(rank_, note)), .sampled = true};
}

spans::SpanSet SpanRecorder::finish(const std::string& process_name) const {
  std::vector<SpanNote> notes;
  {
    const std::lock_guard lock(mutex_);
    notes = notes_;
  }
  // Threads add in any order; the order in each of them is the same in every run.
  std::ranges::stable_sort(notes, [](const SpanNote& a, const SpanNote& b) {
    return a.thread != b.thread ? a.thread < b.thread : a.start < b.start;
  });
  NotesReader reader(parent_, rank_, workers_);
  reader.note_iterations(notes);
  spans::SpanSet set{.trace = parent_.trace, .processes = {{rank_, process_name}}};
  for (const SpanNote& note : notes) set.spans.push_back(reader.span(note));
  if (!set.spans.empty()) set.spans.push_back(reader.process_span(set.spans));
  sort_spans(set);
  return set;
}

}  // namespace sextant::measure
