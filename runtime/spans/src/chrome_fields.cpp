#include "chrome_fields.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "sextant/core/text.h"
#include "span_values.h"

namespace sextant::spans {
namespace {

constexpr double kLatest = 0x1p62;  // ns, well inside 64 bits
constexpr std::int64_t kLatestMicroseconds = (std::int64_t{1} << 62) / 1000;

}  // namespace

Json event_at(const JsonScan& scan, std::size_t at, std::size_t end) {
  Json event = scan.value(at, end);
  if (!event.is_object()) scan.fail(at, "an event that is no object");
  return event;
}

const Json* event_arguments(const Json& event) {
  const auto found = event.find("args");
  return found != event.end() && found->is_object() ? &*found : nullptr;
}

std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string text_member(const Json& event, const char* name) {
  const auto found = event.find(name);
  return found != event.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t nanoseconds_member(const JsonScan& scan, std::size_t at, const Json& event, const char* name) {
  const auto found = event.find(name);
  std::optional<double> value;
  if (found != event.end()) {
    const auto whole = integer_of(*found);  // exact, where a double is not
    if (whole && *whole >= -kLatestMicroseconds && *whole <= kLatestMicroseconds) return *whole * 1000;
  }
  if (found != event.end() && found->is_number()) value = found->get<double>();
  if (found != event.end() && found->is_string()) value = to_number(found->get_ref<const std::string&>());
  if (!value || !std::isfinite(*value) || std::abs(*value) * 1000 > kLatest)
    scan.fail(at, "'" + std::string(name) + "' is no number of microseconds", "as in \"ts\": 12.5");
  return std::llround(*value * 1000);
}

std::int64_t sum_of_times(const JsonScan& scan, std::size_t at, std::int64_t a, std::int64_t b) {
  std::int64_t total = 0;
  if (__builtin_add_overflow(a, b, &total)) scan.fail(at, "an instant that is out of range");
  return total;
}

std::string usual_thread_name(std::int64_t thread) {
  if (thread == 0) return "training";
  if (thread == 1) return "communication";
  return "thread " + std::to_string(thread);
}

}  // namespace sextant::spans
