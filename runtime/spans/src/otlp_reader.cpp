#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "span_ids.h"
#include "span_readers.h"
#include "span_values.h"

namespace sextant::spans {
namespace {

class OtlpReader {
 public:
  OtlpReader(const JsonScan& scan, SpansRead& read) : scan_(scan), read_(read) {}

  std::size_t resource_spans(std::size_t at) {
    std::optional<std::size_t> resource;
    std::vector<std::size_t> scopes;
    const std::size_t end = scan_.each_member(at, [&](std::string_view name, std::size_t value) {
      if (name == "resource") resource = value;
      if (name == "scopeSpans" || name == "instrumentationLibrarySpans") scopes.push_back(value);
    });
    process(resource);
    for (const std::size_t list : scopes)
      scan_.each_element(list, [&](std::size_t scope) { return scope_spans(scope); });
    ++resources_;
    return end;
  }

 private:
  std::size_t scope_spans(std::size_t at) {
    std::vector<std::size_t> lists;
    const std::size_t end = scan_.each_member(at, [&](std::string_view name, std::size_t value) {
      if (name == "spans") lists.push_back(value);
    });
    for (const std::size_t list : lists)
      scan_.each_element(list, [&](std::size_t span) {
        const std::size_t behind = scan_.skip(span);
        at_ = span;
        take(scan_.value(span, behind));
        return behind;
      });
    return end;
  }

  // Its rank if the resource says one, its process id, or else its place in the file.
  void process(std::optional<std::size_t> at) {
    process_ = resources_;
    if (!at) return;
    at_ = *at;
    const Json resource = scan_.value(*at, scan_.skip(*at));
    std::optional<std::string> name;
    std::optional<std::int64_t> instance;
    std::optional<std::int64_t> pid;
    std::map<std::int64_t, std::string> threads;
    for (const auto& [key, value] : attributes(resource)) {
      const auto* text = std::get_if<std::string>(&value);
      const auto* whole = std::get_if<std::int64_t>(&value);
      if (key == "service.name" && text != nullptr) name = *text;
      if (key == "service.instance.id" && text != nullptr) instance = integer_of(Json(*text));
      if (key == "process.pid" && whole != nullptr) pid = *whole;
      const auto thread = thread_of_name_key(key);
      if (thread && text != nullptr) threads[*thread] = *text;
    }
    process_ = instance ? *instance : pid.value_or(resources_);
    if (name) read_.set.processes[process_] = *name;
    for (auto& [thread, called] : threads) read_.set.threads[{process_, thread}] = std::move(called);
  }

  [[nodiscard]] std::vector<SpanAttribute> attributes(const Json& holder) const {
    std::vector<SpanAttribute> list;
    if (!holder.is_object()) scan_.fail(at_, "an object is expected here");
    if (!holder.contains("attributes")) return list;
    for (const Json& item : holder.at("attributes")) {
      auto attribute = from_otlp_attribute(item);
      if (!attribute)
        scan_.fail(at_, "an attribute without key or value", R"({"key": "k", "value": {"intValue": "1"}})");
      list.push_back(std::move(*attribute));
    }
    return list;
  }

  void take(const Json& json) {
    Span span;
    span.attributes = attributes(json);
    span.process = process_;
    span.name =
        json.contains("name") && json.at("name").is_string() ? json.at("name").get<std::string>() : "";
    span.id = span_id(json, "spanId");
    span.parent = span_id(json, "parentSpanId");
    span.start_ns = instant(json, "startTimeUnixNano");
    span.end_ns = instant(json, "endTimeUnixNano");
    check_times(scan_, at_, span);
    take_thread(span);
    take_trace(json);
    if (json.contains("links"))
      for (const Json& link : json.at("links")) {
        span.links.push_back(span_id(link, "spanId"));
        if (span.links.back() == 0) scan_.fail(at_, "a link without spanId");
      }
    read_.set.spans.push_back(std::move(span));
  }

  static void take_thread(Span& span) {
    const auto found = std::ranges::find(span.attributes, "thread.id", &SpanAttribute::first);
    if (found == span.attributes.end() || !std::holds_alternative<std::int64_t>(found->second)) return;
    span.thread = std::get<std::int64_t>(found->second);
    span.attributes.erase(found);
  }

  // The set has one trace: the first.
  void take_trace(const Json& json) {
    if (read_.trace_known || !json.contains("traceId") || !json.at("traceId").is_string()) return;
    const auto trace = trace_from_hex(json.at("traceId").get_ref<const std::string&>());
    if (!trace)
      scan_.fail(at_, "'traceId' is not 32 hexadecimal digits", "OTLP/JSON does not use base64 for ids");
    read_.set.trace = *trace;
    read_.trace_known = true;
  }

  [[nodiscard]] SpanId span_id(const Json& json, const char* name) const {
    if (!json.is_object() || !json.contains(name)) return 0;
    const Json& held = json.at(name);
    if (held.is_string() && held.get_ref<const std::string&>().empty()) return 0;
    const auto id = held.is_string() ? from_hex(held.get_ref<const std::string&>()) : std::nullopt;
    if (!id || held.get_ref<const std::string&>().size() != 16)
      scan_.fail(at_, "'" + std::string(name) + "' is not 16 hexadecimal digits",
                 "OTLP/JSON does not use base64 for ids");
    return *id;
  }

  [[nodiscard]] std::int64_t instant(const Json& json, const char* name) const {
    if (!json.contains(name)) scan_.fail(at_, "'" + std::string(name) + "' is missing");
    const auto value = integer_of(json.at(name));
    if (!value)
      scan_.fail(at_, "'" + std::string(name) + "' is no number of nanoseconds",
                 "a decimal text, such as \"1700000000000000000\"");
    return *value;
  }

  const JsonScan& scan_;
  SpansRead& read_;
  std::int64_t resources_ = 0;  // so far in this document
  std::int64_t process_ = 0;
  std::size_t at_ = 0;  // of what is being read, for messages
};

}  // namespace

void read_otlp(const JsonScan& scan, std::size_t resources, SpansRead& read) {
  OtlpReader reader(scan, read);
  scan.each_element(resources, [&](std::size_t at) { return reader.resource_spans(at); });
}

}  // namespace sextant::spans
