// OpenTelemetry's OTLP/JSON (opentelemetry-proto 1.x, ExportTraceServiceRequest): a resource for each
// process, ids in hexadecimal digits, times in nanoseconds as decimal text.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/spans/span.h"
#include "span_ids.h"
#include "span_values.h"

namespace sextant::spans {
namespace {

constexpr int kInternal = 1;  // SPAN_KIND_INTERNAL

Json otlp_span(const SpanSet& set, const Span& span) {
  const std::string trace = hex_text(set.trace);
  Json json = {{"traceId", trace}, {"spanId", hex_text(span.id)}};
  if (span.parent != 0) json["parentSpanId"] = hex_text(span.parent);
  json["name"] = span.name;
  json["kind"] = kInternal;
  json["startTimeUnixNano"] = std::to_string(span.start_ns);
  json["endTimeUnixNano"] = std::to_string(span.end_ns);
  // The thread is ours and comes first: a second attribute of this name is the span's own.
  json["attributes"].push_back(otlp_attribute({"thread.id", span.thread}));
  for (const auto& attribute : span.attributes) json["attributes"].push_back(otlp_attribute(attribute));
  for (const SpanId link : span.links)
    json["links"].push_back({{"traceId", trace}, {"spanId", hex_text(link)}});
  return json;
}

Json resource(const SpanSet& set, std::int64_t process) {
  Json attributes = Json::array();
  const auto name = set.processes.find(process);
  if (name != set.processes.end()) attributes.push_back(otlp_attribute({"service.name", name->second}));
  attributes.push_back(otlp_attribute({"service.instance.id", std::to_string(process)}));
  const auto first = set.threads.lower_bound({process, std::numeric_limits<std::int64_t>::min()});
  for (auto thread = first; thread != set.threads.end() && thread->first.first == process; ++thread)
    attributes.push_back(otlp_attribute({thread_name_key(thread->first.second), thread->second}));
  return {{"attributes", std::move(attributes)}};
}

// Indices of spans by process; processes that have a name and no spans have an empty list.
std::map<std::int64_t, std::vector<std::size_t>> by_process(const SpanSet& set) {
  std::map<std::int64_t, std::vector<std::size_t>> spans;
  for (const auto& [process, name] : set.processes) spans[process];
  for (const auto& [thread, name] : set.threads) spans[thread.first];
  for (std::size_t i = 0; i < set.spans.size(); ++i) spans[set.spans[i].process].push_back(i);
  return spans;
}

Json scope() {
  return {{"name", "sextant"}};
}

}  // namespace

Json to_otlp(const SpanSet& set) {
  Json resources = Json::array();
  for (const auto& [process, indices] : by_process(set)) {
    Json spans = Json::array();
    for (const std::size_t i : indices) spans.push_back(otlp_span(set, set.spans[i]));
    Json group = {{"scope", scope()}, {"spans", std::move(spans)}};
    resources.push_back(
        {{"resource", resource(set, process)}, {"scopeSpans", Json::array({std::move(group)})}});
  }
  return {{"resourceSpans", std::move(resources)}};
}

}  // namespace sextant::spans
