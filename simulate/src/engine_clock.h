// The clock of a run counts nanoseconds from the first arrival, so that equal times are equal and a long run
// is as fine as a short one. Policies and results speak of seconds on the clock of the arrivals.
#pragma once

#include <cmath>

#include "sextant/simulate/event_queue.h"

namespace sextant {

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

struct RunClock {
  double begin_s = 0;

  [[nodiscard]] double at(Nanos time) const { return begin_s + seconds_of(time); }
  [[nodiscard]] Nanos when(double time_s) const { return nanos_of(time_s - begin_s); }
  // The first nanosecond that is not before.
  [[nodiscard]] Nanos not_before(double time_s) const {
    const Nanos time = when(time_s);
    return time != kEndless && at(time) < time_s ? time + 1 : time;
  }
};

}  // namespace sextant
