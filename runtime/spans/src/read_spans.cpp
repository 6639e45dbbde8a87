#include <algorithm>
#include <unordered_set>

#include "sextant/core/gzip.h"
#include "sextant/core/rng.h"
#include "sextant/spans/span.h"
#include "span_readers.h"

namespace sextant::spans {
namespace {

constexpr const char* kForms =
    "spans are read from Chrome trace events (an object with traceEvents, or their array), as PyTorch's "
    "profiler "
    "exports them too, and from OTLP/JSON (an object with resourceSpans)";

// One document: an object of either form. Returns the place behind it.
std::size_t read_object(const JsonScan& scan, std::size_t at, std::int64_t rank, SpansRead& read) {
  ProfileHeader header{.rank = rank};
  bool profile = false;
  std::optional<std::size_t> events;
  std::optional<std::size_t> about;
  std::optional<std::size_t> resources;
  const std::size_t end = scan.each_member(at, [&](std::string_view name, std::size_t value) {
    if (name == "traceEvents") events = value;
    if (name == "otherData") about = value;
    if (name == "resourceSpans") resources = value;
    if (name == "distributedInfo") header.distributed = value;
    if (name == "schemaVersion" || name == "deviceProperties" || name == "traceName") profile = true;
    if (name == "baseTimeNanoseconds") header.base = value;
  });
  if (!events && !resources) scan.fail(at, "neither traceEvents nor resourceSpans", kForms);
  if (events && !about && (profile || header.distributed || holds_a_profile(scan, *events))) {
    read_profile(scan, *events, header, read);
  } else if (events) {
    read_chrome(scan, *events, about, read);
  }
  if (resources) read_otlp(scan, *resources, read);
  return end;
}

// Ids for spans without, and as parents the spans around them on the same thread. The order is that of
// sort_spans, so a span around another stands before it.
void complete_ids(SpanSet& set) {
  std::unordered_set<SpanId> taken;
  for (const Span& span : set.spans) taken.insert(span.id);
  Rng draw = Rng(0).stream("span ids");
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<const Span*>> open;  // by process and thread
  for (Span& span : set.spans) {
    auto& around = open[{span.process, span.thread}];
    while (!around.empty() && around.back()->end_ns < span.end_ns) around.pop_back();
    if (span.id == 0) {
      while (span.id == 0 || !taken.insert(span.id).second) span.id = draw.bits();
      if (span.parent == 0 && !around.empty()) span.parent = around.back()->id;
    }
    around.push_back(&span);
  }
}

SpanSet read_text(const std::string& text, const std::string& file_name, std::int64_t rank) {
  const JsonScan scan(text, file_name);
  SpansRead read;
  std::size_t at = scan.space(0);
  if (at >= text.size()) scan.fail(at, "no spans: the file is empty", kForms);
  if (scan.peek(at) != '[' && scan.peek(at) != '{')
    scan.fail(at, "this is no file of spans: it begins with neither { nor [", kForms);
  if (scan.peek(at) == '[') {
    // Chrome's format lets a recorder that died leave the array open.
    if (holds_a_profile(scan, at)) {
      read_profile(scan, at, {.rank = rank, .bare = true}, read);
    } else {
      read_chrome(scan, at, std::nullopt, read);
    }
  } else {
    // Collectors write one request behind the other.
    while (at < text.size()) at = scan.space(read_object(scan, at, rank, read));
  }
  sort_spans(read.set);
  complete_ids(read.set);
  if (!read.trace_known) {
    Rng draw = Rng(0).stream(text);
    read.set.trace.high = draw.bits();
    read.set.trace.low = draw.bits();
  }
  return std::move(read.set);
}

}  // namespace

void check_times(const JsonScan& scan, std::size_t at, const Span& span) {
  if (span.end_ns < span.start_ns) scan.fail(at, "span '" + span.name + "' ends before it starts");
  if (span.start_ns < kEarliestNs || span.end_ns > kLatestNs)
    scan.fail(at, "span '" + span.name + "' is at an instant out of range", "nanoseconds since 1970");
}

void sort_spans(SpanSet& set) {
  std::ranges::stable_sort(set.spans, [](const Span& a, const Span& b) {
    if (a.process != b.process) return a.process < b.process;
    if (a.start_ns != b.start_ns) return a.start_ns < b.start_ns;
    if (a.end_ns != b.end_ns) return a.end_ns > b.end_ns;
    return a.id < b.id;
  });
}

SpanSet read_spans(const std::string& text, const std::string& file_name, std::int64_t rank) {
  // Once: there are packed files that hold themselves.
  if (is_gzip(text)) return read_text(unpack_gzip(text, file_name), file_name, rank);
  return read_text(text, file_name, rank);
}

}  // namespace sextant::spans
