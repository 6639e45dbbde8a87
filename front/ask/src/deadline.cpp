#include "deadline.h"

#include <chrono>
#include <ctime>
#include <iomanip>
#include <optional>
#include <sstream>

#include "sextant/core/unit_text.h"

namespace sextant::ask {
namespace {

// Seconds since 1970; nothing if the text is no date.
std::optional<double> date_seconds(const std::string& text) {
  for (const char* form : {"%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    std::tm time{};
    std::istringstream in(text);
    in >> std::get_time(&time, form);
    if (in.fail() || in.peek() != std::istringstream::traits_type::eof()) continue;
    std::tm given = time;
    const auto seconds = static_cast<double>(timegm(&time));  // carries 30 February on to March
    if (time.tm_mday == given.tm_mday && time.tm_mon == given.tm_mon) return seconds;
  }
  return std::nullopt;
}

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Seconds duration(const std::string& text, const SourcePos& at) {
  try {
    return parse_seconds(text, at);
  } catch (const InputError& error) {
    throw InputError(at, error.message(),
                     "a time from now, as in '24 h', or a date in UTC, as in 2027-01-31");
  }
}

}  // namespace

Seconds parse_deadline(const std::string& text, const SourcePos& at) {
  if (const auto date = date_seconds(text)) {
    const double left = *date - now_seconds();
    if (left <= 0) throw InputError(at, "'" + text + "' is in the past");
    return Seconds{left};
  }
  if (text.starts_with('-'))
    throw InputError(at, "'" + text + "' is in the past", "a time from now, as in '36 h'");
  const Seconds left = duration(text, at);
  if (left <= Seconds{})
    throw InputError(at, "'" + text + "' leaves no time", "a time from now, as in '36 h'");
  return left;
}

}  // namespace sextant::ask
