// Texts with numbers in them, for evidence that people read.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace sextant::queueing {

// As printf does it, up to 199 characters.
template <class... Numbers>
std::string formatted(const char* format, Numbers... numbers) {
  std::array<char, 200> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, numbers...);
  return buffer.data();
}

}  // namespace sextant::queueing
