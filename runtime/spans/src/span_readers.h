// The two forms of spans, from text to a set; read_spans finds out which one it is.
#pragma once

#include <optional>
#include <vector>

#include "json_scan.h"
#include "sextant/spans/span.h"

namespace sextant::spans {

// What has been read so far. Files of others may lack ids: those spans get theirs, and a parent, at the end.
struct SpansRead {
  SpanSet set;
  bool trace_known = false;
};

// Instants whose differences fit into 64 bits: from 73 years before 1970 to 146 after it.
constexpr std::int64_t kEarliestNs = -(std::int64_t{1} << 61);
constexpr std::int64_t kLatestNs = std::int64_t{1} << 62;
// InputError at `at` for a span that is not in this range or ends before it starts.
void check_times(const JsonScan& scan, std::size_t at, const Span& span);

// `events`: where the array of events starts; `about`: where the object otherData does, if there is one.
void read_chrome(const JsonScan& scan, std::size_t events, std::optional<std::size_t> about, SpansRead& read);

// What a profile says before its events: places of values in the text, where there are such.
struct ProfileHeader {
  std::optional<std::size_t> distributed = {};  // distributedInfo
  std::optional<std::size_t> base = {};         // baseTimeNanoseconds
  std::int64_t rank = 0;                        // where neither the file nor its name says one
  bool bare = false;                            // the text is the array of events alone
};
// Are these events of PyTorch's profiler? The first of them tell.
bool holds_a_profile(const JsonScan& scan, std::size_t events);
void read_profile(const JsonScan& scan, std::size_t events, const ProfileHeader& header, SpansRead& read);

// `resources`: where the array resourceSpans starts.
void read_otlp(const JsonScan& scan, std::size_t resources, SpansRead& read);

}  // namespace sextant::spans
