#include "deadline.h"

#include <chrono>

#include "sextant/core/date.h"
#include "sextant/core/unit_text.h"

namespace sextant::ask {
namespace {

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
    const double left = date->value - now_seconds();
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
