// Chrome trace events of ours and of others. Complete events (X), begin and end (B, E), names of processes
// (M); others - counters, instants, asynchronous and flow events - say nothing about spans of a thread.
#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "chrome_fields.h"
#include "span_ids.h"
#include "span_readers.h"
#include "span_values.h"

namespace sextant::spans {
namespace {

constexpr std::int64_t kFirstNamed = 1'000'000'000;  // processes and threads with names for numbers

class ChromeReader {
 public:
  ChromeReader(const JsonScan& scan, SpansRead& read) : scan_(scan), read_(read) {}

  void about(std::size_t at) {
    at_ = at;
    const Json json = scan_.value(at, scan_.skip(at));
    if (!json.is_object()) return;
    if (const std::string text = text_member(json, "trace_id"); !text.empty() && !read_.trace_known) {
      const auto trace = trace_from_hex(text);
      if (!trace) scan_.fail(at, "'trace_id' is not 32 hexadecimal digits");
      read_.set.trace = *trace;
      read_.trace_known = true;
    }
    if (json.contains("origin_ns")) {
      const auto origin = integer_of(json.at("origin_ns"));
      if (!origin) scan_.fail(at, "'origin_ns' is no number of nanoseconds");
      origin_ = *origin;
    }
  }

  std::size_t event(std::size_t at) {
    at_ = at;
    const std::size_t end = scan_.skip(at);
    const Json json = event_at(scan_, at, end);
    const std::string phase = text_member(json, "ph");
    if (phase == "X") complete(json);
    if (phase == "B") begin(json);
    if (phase == "E") finish(json);
    if (phase == "M") name(json);
    return end;
  }

  // What is still open lasted until the last instant that the file knows.
  void close() {
    for (auto& [thread, spans] : open_)
      for (Span& span : spans) {
        span.end_ns = std::clamp(last_, span.start_ns, kLatestNs);
        read_.set.spans.push_back(std::move(span));
      }
  }

 private:
  // Numbers as they are, names in the order in which they appear.
  std::int64_t number(const Json& json, const char* name, std::map<std::string, std::int64_t>& named) {
    const auto found = json.find(name);
    if (found == json.end()) return 0;
    if (const auto whole = integer_of(*found)) return *whole;
    return named.try_emplace(plain_text(*found), kFirstNamed + std::ssize(named)).first->second;
  }
  std::int64_t process(const Json& json) {
    const std::size_t before = pids_.size();
    const std::int64_t pid = number(json, "pid", pids_);
    if (pids_.size() > before) read_.set.processes.try_emplace(pid, plain_text(json.at("pid")));
    return pid;
  }

  Span common(const Json& json) {
    Span span;
    span.name = text_member(json, "name");
    span.process = process(json);
    span.thread = number(json, "tid", tids_);
    span.start_ns = sum_of_times(scan_, at_, origin_, nanoseconds_member(scan_, at_, json, "ts"));
    span.end_ns = span.start_ns;
    last_ = std::max(last_, span.start_ns);
    return span;
  }

  void arguments(const Json& json, Span& span) const {
    const Json* args = event_arguments(json);
    if (args == nullptr) return;
    for (const auto& [name, value] : args->items()) {
      if (name == "span" && value.is_object() && value.contains("id"))
        kept(value, span);
      else
        span.attributes.emplace_back(name, from_plain_value(value));
    }
  }

  void kept(const Json& json, Span& span) const {
    span.id = id(json.at("id"));
    if (json.contains("parent")) span.parent = id(json.at("parent"));
    if (json.contains("links"))
      for (const Json& link : json.at("links")) span.links.push_back(id(link));
    if (json.contains("start_ns") && json.contains("end_ns")) {
      const auto start = integer_of(json.at("start_ns"));
      const auto end = integer_of(json.at("end_ns"));
      if (!start || !end) scan_.fail(at_, "'start_ns' or 'end_ns' is no number of nanoseconds");
      span.start_ns = *start;
      span.end_ns = *end;
    }
    if (json.contains("attributes"))
      for (const Json& item : json.at("attributes")) {
        auto attribute = from_otlp_attribute(item);
        if (!attribute) scan_.fail(at_, "an attribute without key or value");
        span.attributes.push_back(std::move(*attribute));
      }
  }

  [[nodiscard]] SpanId id(const Json& json) const {
    const auto value = json.is_string() ? from_hex(json.get_ref<const std::string&>()) : std::nullopt;
    if (!value) scan_.fail(at_, "an id that is not up to 16 hexadecimal digits");
    return *value;
  }

  void complete(const Json& json) {
    Span span = common(json);
    if (json.contains("dur")) {
      const std::int64_t duration = nanoseconds_member(scan_, at_, json, "dur");
      span.end_ns = sum_of_times(scan_, at_, span.start_ns, duration);
    }
    arguments(json, span);
    check_times(scan_, at_, span);
    last_ = std::max(last_, span.end_ns);
    read_.set.spans.push_back(std::move(span));
  }

  void begin(const Json& json) {
    Span span = common(json);
    arguments(json, span);
    span.end_ns = span.start_ns;
    check_times(scan_, at_, span);
    open_[{span.process, span.thread}].push_back(std::move(span));
  }

  // An end without a beginning belongs to what began before the recording.
  void finish(const Json& json) {
    const Span end = common(json);
    auto& spans = open_[{end.process, end.thread}];
    if (spans.empty()) return;
    Span span = std::move(spans.back());
    spans.pop_back();
    if (end.start_ns < span.start_ns)
      scan_.fail(at_, "'" + span.name + "' ends before it began",
                 "events of a thread stand in order of time");
    span.end_ns = end.start_ns;
    check_times(scan_, at_, span);
    read_.set.spans.push_back(std::move(span));
  }

  void name(const Json& json) {
    const std::string of = text_member(json, "name");
    const Json* args = event_arguments(json);
    if (args == nullptr || !args->contains("name")) return;
    const std::string name = text_member(*args, "name");
    if (of == "process_name" && args->at("name").is_string()) read_.set.processes[process(json)] = name;
    if (of != "thread_name" || name.empty() || !json.contains("tid")) return;
    const std::int64_t thread = number(json, "tid", tids_);
    if (name != usual_thread_name(thread)) read_.set.threads[{process(json), thread}] = name;
  }

  const JsonScan& scan_;
  SpansRead& read_;
  std::int64_t origin_ = 0;
  std::int64_t last_ = std::numeric_limits<std::int64_t>::min();
  std::map<std::string, std::int64_t> pids_;
  std::map<std::string, std::int64_t> tids_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Span>> open_;
  std::size_t at_ = 0;  // of the event, for messages
};

}  // namespace

void read_chrome(const JsonScan& scan, std::size_t events, std::optional<std::size_t> about,
                 SpansRead& read) {
  ChromeReader reader(scan, read);
  if (about) reader.about(*about);
  const bool bare = !about && events == scan.space(0);
  scan.each_element(
      events, [&](std::size_t at) { return reader.event(at); }, bare);
  reader.close();
}

}  // namespace sextant::spans
