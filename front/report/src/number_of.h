// Things with their number: "1 worker", "3 workers".
#pragma once

#include <cstdint>
#include <string>

namespace sextant::report {

inline std::string number_of(std::int64_t number, const std::string& thing) {
  return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

}  // namespace sextant::report
