// Collects the spans of one process. Adding one costs two clock readings that the caller makes anyway and a
// few words of memory; text is made at the end.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "sextant/spans/span.h"

namespace sextant::measure {

struct SpanNote {
  const char* name;    // a literal
  std::int64_t start;  // monotonic
  std::int64_t end;
  std::int64_t iteration = -1;
  std::int64_t bucket = -1;
  std::int64_t bytes = -1;
  std::int64_t thread = 0;
  std::int64_t peer = -1;  // rank at the other end of a message
  std::int64_t ready =
      -1;  // monotonic: when a bucket was handed over that waited for another; -1: at its start
  spans::SpanId parent = 0;  // from the context that a message carried; 0: as finish() says
};

// Span ids are a hash of trace, rank, name, iteration and bucket: so each rank knows the ids of the others'
// parts of a collective without asking, and the same trial has the same ids.
class SpanRecorder {
 public:
  SpanRecorder(spans::TraceContext parent, std::int64_t rank, std::int64_t workers);
  void add(const SpanNote& note);  // from any thread
  // The context that a message to a server carries, for a span of this rank that is still open.
  [[nodiscard]] spans::TraceContext context(const SpanNote& note) const;
  // Iterations are children of the process's span, phases of their iteration, communication of its iteration
  // and linked to the same bucket's on the other ranks.
  [[nodiscard]] spans::SpanSet finish(const std::string& process_name) const;

 private:
  spans::TraceContext parent_;
  std::int64_t rank_ = 0;
  std::int64_t workers_ = 1;
  mutable std::mutex mutex_;
  std::vector<SpanNote> notes_;
};

}  // namespace sextant::measure
