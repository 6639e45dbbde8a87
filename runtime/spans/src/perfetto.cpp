// Chrome's trace event format, as Perfetto and chrome://tracing show it: complete events (X) with times in
// microseconds since the first span, names of processes and threads (M), arrows (s, f) along links and to
// parents in other processes. What the form has no place for stands in args.span.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <unordered_map>

#include "chrome_fields.h"
#include "sextant/spans/span.h"
#include "span_ids.h"
#include "span_values.h"

namespace sextant::spans {
namespace {

constexpr const char* kSpanKey = "span";

// As members of one JSON object: each name once, none in our way, each number a number.
bool plain(const std::vector<SpanAttribute>& attributes) {
  std::set<std::string_view> names{kSpanKey};
  return std::ranges::all_of(attributes, [&](const SpanAttribute& attribute) {
    const auto* number = std::get_if<double>(&attribute.second);
    return names.insert(attribute.first).second && (number == nullptr || std::isfinite(*number));
  });
}

class PerfettoEvents {
 public:
  using Take = std::function<void(const Json&)>;
  explicit PerfettoEvents(const SpanSet& set) : set_(set) {
    for (const Span& span : set.spans) origin_ = std::min(origin_, span.start_ns);
    if (set.spans.empty()) origin_ = 0;
    for (std::size_t i = 0; i < set.spans.size(); ++i) places_.try_emplace(set.spans[i].id, i);
  }

  [[nodiscard]] Json about() const {
    return {{"trace_id", hex_text(set_.trace)}, {"origin_ns", std::to_string(origin_)}};
  }

  void each(const Take& take) {
    names(take);
    for (const Span& span : set_.spans) {
      take(complete(span));
      arrows(span, take);
    }
  }

 private:
  // Differences fit into 64 bits without sign, whatever the instants.
  [[nodiscard]] static double microseconds(std::int64_t from, std::int64_t to) {
    return static_cast<double>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from)) / 1000;
  }
  // Rounded to nanoseconds this is what it was, up to 13 days: two roundings of 2^-53 stay below a half.
  [[nodiscard]] static bool exact(double microseconds) { return microseconds < 0x1p50 / 1000; }

  static Json name_event(const char* what, std::int64_t process, const std::string& name) {
    return {{"name", what}, {"ph", "M"}, {"pid", process}, {"args", {{"name", name}}}};
  }

  void names(const Take& take) const {
    for (const auto& [process, name] : set_.processes) take(name_event("process_name", process, name));
    std::set<std::pair<std::int64_t, std::int64_t>> threads;
    for (const Span& span : set_.spans) threads.emplace(span.process, span.thread);
    for (const auto& [key, name] : set_.threads) threads.insert(key);
    for (const auto& [process, thread] : threads) {
      const auto named = set_.threads.find({process, thread});
      const std::string name = named == set_.threads.end() ? usual_thread_name(thread) : named->second;
      Json event = name_event("thread_name", process, name);
      event["tid"] = thread;
      take(event);
    }
  }

  [[nodiscard]] Json complete(const Span& span) const {
    const double start = microseconds(origin_, span.start_ns);
    const double duration = microseconds(span.start_ns, span.end_ns);
    Json kept = {{"id", hex_text(span.id)}};
    if (span.parent != 0) kept["parent"] = hex_text(span.parent);
    for (const SpanId link : span.links) kept["links"].push_back(hex_text(link));
    if (!exact(start) || !exact(duration)) {
      kept["start_ns"] = std::to_string(span.start_ns);
      kept["end_ns"] = std::to_string(span.end_ns);
    }
    Json args = Json::object();
    if (plain(span.attributes)) {
      for (const auto& [name, value] : span.attributes) args[name] = plain_value(value);
    } else {
      for (const auto& attribute : span.attributes) kept["attributes"].push_back(otlp_attribute(attribute));
    }
    args[kSpanKey] = std::move(kept);
    return {{"name", span.name},      {"ph", "X"},           {"ts", start},
            {"dur", duration},        {"pid", span.process}, {"tid", span.thread},
            {"args", std::move(args)}};
  }

  void arrows(const Span& span, const Take& take) {
    const Span* parent = find(span.parent);
    if (parent != nullptr && parent->process != span.process) {
      arrow({*parent, std::clamp(span.start_ns, parent->start_ns, parent->end_ns)}, {span, span.start_ns},
            take);
    }
    // One arrow to the next process that takes part, not to all: n - 1 for a collective of n.
    const Span* next = nullptr;
    for (const SpanId link : span.links) {
      const Span* other = find(link);
      if (other != nullptr && other->process > span.process &&
          (next == nullptr || other->process < next->process))
        next = other;
    }
    if (next == nullptr) return;
    const Span& first = next->start_ns < span.start_ns ? *next : span;
    const Span& second = &first == &span ? *next : span;
    arrow({first, first.start_ns}, {second, second.start_ns}, take);
  }

  struct ArrowEnd {
    const Span& span;
    std::int64_t at_ns;
  };
  void arrow(const ArrowEnd& from, const ArrowEnd& to, const Take& take) {
    ++arrows_;
    take(end_of_arrow("s", from));
    Json end = end_of_arrow("f", to);
    end["bp"] = "e";  // binds to the span around it, not to the next one
    take(end);
  }
  [[nodiscard]] Json end_of_arrow(const char* phase, const ArrowEnd& end) const {
    return {{"name", "link"},
            {"cat", "link"},
            {"ph", phase},
            {"id", arrows_},
            {"ts", microseconds(origin_, end.at_ns)},
            {"pid", end.span.process},
            {"tid", end.span.thread}};
  }

  [[nodiscard]] const Span* find(SpanId id) const {
    const auto place = id == 0 ? places_.end() : places_.find(id);
    return place == places_.end() ? nullptr : &set_.spans[place->second];
  }

  const SpanSet& set_;
  std::int64_t origin_ = std::numeric_limits<std::int64_t>::max();
  std::unordered_map<SpanId, std::size_t> places_;
  std::int64_t arrows_ = 0;
};

}  // namespace

Json to_perfetto(const SpanSet& set) {
  PerfettoEvents events(set);
  Json list = Json::array();
  events.each([&](const Json& event) { list.push_back(event); });
  return {{"displayTimeUnit", "ms"}, {"otherData", events.about()}, {"traceEvents", std::move(list)}};
}

}  // namespace sextant::spans
