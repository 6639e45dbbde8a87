// Sets of instants as stretches of time: sorted, without overlaps.
#pragma once

#include <cstdint>
#include <vector>

namespace sextant::spans {

struct TimeStretch {
  std::int64_t start = 0;  // ns
  std::int64_t end = 0;
};

// Any stretches, in any order.
std::vector<TimeStretch> merged(std::vector<TimeStretch> stretches);
// Both merged; what is in the first and not in the second.
std::vector<TimeStretch> without(const std::vector<TimeStretch>& stretches,
                                 const std::vector<TimeStretch>& taken);
// How much of `with` lies in merged stretches; `next` moves on with rising calls.
std::int64_t overlap(const std::vector<TimeStretch>& stretches, std::size_t& next, const TimeStretch& with);

}  // namespace sextant::spans
