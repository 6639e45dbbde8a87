// Simulated time counts nanoseconds from the beginning of a run, so that equal times are equal and a long run
// is as fine as a short one.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace sextant::events {

using Nanos = std::int64_t;
inline constexpr Nanos kEndless = std::numeric_limits<Nanos>::max();

inline double seconds_of(Nanos span) {
  return static_cast<double>(span) / 1e9;
}

// Endless from 285 years on; never negative.
inline Nanos nanos_of(double seconds) {
  if (!(seconds > 0)) return 0;
  return seconds < 9e9 ? std::llround(seconds * 1e9) : kEndless;
}

inline Nanos later(Nanos from, Nanos span) {
  return span > kEndless - from ? kEndless : from + span;
}

}  // namespace sextant::events
