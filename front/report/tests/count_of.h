// How often a part stands in a text: elements of a picture.
#pragma once

#include <string>

namespace sextant::report {

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace sextant::report
