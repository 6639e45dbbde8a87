#include "sextant/measure/clock.h"

#include <chrono>

namespace sextant {

std::int64_t monotonic_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t unix_ns(std::int64_t monotonic) {
  static const std::int64_t distance = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                           std::chrono::system_clock::now().time_since_epoch())
                                           .count() -
                                       monotonic_ns();
  return monotonic + distance;
}

}  // namespace sextant
