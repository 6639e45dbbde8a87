#include "sextant/core/date.h"

#include <ctime>
#include <iomanip>
#include <sstream>

namespace sextant {

std::optional<Seconds> date_seconds(const std::string& text) {
  for (const char* form : {"%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    std::tm time{};
    std::istringstream in(text);
    in >> std::get_time(&time, form);
    if (in.fail() || in.peek() != std::istringstream::traits_type::eof()) continue;
    std::tm given = time;
    const auto seconds = static_cast<double>(timegm(&time));  // carries 30 February on to March
    if (time.tm_mday == given.tm_mday && time.tm_mon == given.tm_mon) return Seconds{seconds};
  }
  return std::nullopt;
}

}  // namespace sextant
