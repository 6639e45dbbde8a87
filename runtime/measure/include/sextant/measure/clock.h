// Time, for measuring. Spans need instants that processes of one machine agree on, durations a clock that
// nobody sets: the monotonic clock, and its distance from 1970 taken once.
#pragma once

#include <cstdint>

namespace sextant::measure {

std::int64_t monotonic_ns();
// Seconds from a monotonic instant until now.
double seconds_since(std::int64_t monotonic);
// Nanoseconds since 1970 of a monotonic instant; the distance is that of the first call in the process.
std::int64_t unix_ns(std::int64_t monotonic);

}  // namespace sextant::measure
