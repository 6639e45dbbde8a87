// A span: something that one process did from one instant to another, inside another span, possibly linked to
// spans of other processes. Ids follow the W3C trace context, so that a parent can live in another process.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/json.h"

namespace sextant::spans {

struct TraceId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const TraceId&) const = default;
};
using SpanId = std::uint64_t;  // 0: none

using SpanValue = std::variant<std::int64_t, double, bool, std::string>;

struct Span {
  SpanId id = 0;
  SpanId parent = 0;
  std::string name;          // "iteration", "input", "forward", "backward", "communication", "optimizer", …
  std::int64_t process = 0;  // rank
  std::int64_t thread = 0;   // 0 the training thread, 1 the communication thread
  std::int64_t start_ns = 0;  // since 1970
  std::int64_t end_ns = 0;
  std::vector<std::pair<std::string, SpanValue>> attributes = {};  // iteration, bucket, bytes, …
  std::vector<SpanId> links = {};                                  // the same collective on other ranks
  bool operator==(const Span&) const = default;
};

// The spans of one run, of all its processes, under one trace id.
struct SpanSet {
  TraceId trace;
  std::map<std::int64_t, std::string> processes = {};  // rank → "worker 0", "server 1"
  // Of a process and its thread, where they have names of their own: "GPU 0, stream 7".
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> threads = {};
  std::vector<Span> spans = {};
  bool operator==(const SpanSet&) const = default;
};
// By process, start, longest first, id: so a span stands behind those it lies in. Readers return this order.
void sort_spans(SpanSet& set);

// W3C trace context: 00-<32 hex>-<16 hex>-<2 hex>.
struct TraceContext {
  TraceId trace;
  SpanId span = 0;
  bool sampled = true;
};
std::string traceparent(const TraceContext& context);
TraceContext parse_traceparent(std::string_view text, const SourcePos& at = {});  // InputError

// Perfetto (Chrome trace event) and OpenTelemetry (OTLP/JSON) forms; each reads back as the same set.
Json to_perfetto(const SpanSet& set);
Json to_otlp(const SpanSet& set);
// Either form, also as others write them: begin and end events, an array without its end, no ids (parents are
// then those that enclose), requests one behind the other; and what PyTorch's profiler exports (profile.h).
// Packed by gzip or not. `rank`: of a profile that does not say its own. InputError with the place; in a
// packed file, that in the text.
SpanSet read_spans(const std::string& text, const std::string& file_name, std::int64_t rank = 0);

}  // namespace sextant::spans
