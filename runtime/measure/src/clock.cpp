#include "sextant/measure/clock.h"

#include <chrono>

namespace sextant::measure {

std::int64_t monotonic_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double seconds_since(std::int64_t monotonic) {
  return static_cast<double>(monotonic_ns() - monotonic) * 1e-9;
}

std::int64_t unix_ns(std::int64_t monotonic) {
  static const std::int64_t distance = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                           std::chrono::system_clock::now().time_since_epoch())
                                           .count() -
                                       monotonic_ns();
  return monotonic + distance;
}

}  // namespace sextant::measure
