// The two forms of spans, from text to a set; read_spans finds out which one it is.
#pragma once

#include <optional>
#include <vector>

#include "json_scan.h"
#include "sextant/spans/span.h"

namespace sextant {

// What has been read so far. Files of others may lack ids: those spans get theirs, and a parent, at the end.
struct SpansRead {
  SpanSet set;
  bool trace_known = false;
};

// `events`: where the array of events starts; `about`: where the object otherData does, if there is one.
void read_chrome(const JsonScan& scan, std::size_t events, std::optional<std::size_t> about, SpansRead& read);
// `resources`: where the array resourceSpans starts.
void read_otlp(const JsonScan& scan, std::size_t resources, SpansRead& read);

}  // namespace sextant
