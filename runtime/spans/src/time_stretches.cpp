#include "time_stretches.h"

#include <algorithm>

namespace sextant::spans {

std::vector<TimeStretch> merged(std::vector<TimeStretch> stretches) {
  std::ranges::sort(stretches, {}, &TimeStretch::start);
  std::vector<TimeStretch> result;
  for (const TimeStretch& stretch : stretches) {
    if (!result.empty() && stretch.start <= result.back().end)
      result.back().end = std::max(result.back().end, stretch.end);
    else
      result.push_back(stretch);
  }
  return result;
}

std::vector<TimeStretch> without(const std::vector<TimeStretch>& stretches,
                                 const std::vector<TimeStretch>& taken) {
  std::vector<TimeStretch> left;
  std::size_t next = 0;
  for (const TimeStretch& stretch : stretches) {
    while (next < taken.size() && taken[next].end <= stretch.start) ++next;
    std::int64_t from = stretch.start;
    for (std::size_t i = next; i < taken.size() && taken[i].start < stretch.end; ++i) {
      if (taken[i].start > from) left.push_back({from, taken[i].start});
      from = std::max(from, taken[i].end);
    }
    if (from < stretch.end) left.push_back({from, stretch.end});
  }
  return left;
}

std::int64_t overlap(const std::vector<TimeStretch>& stretches, std::size_t& next, const TimeStretch& with) {
  std::int64_t sum = 0;
  while (next < stretches.size() && stretches[next].end <= with.start) ++next;
  for (std::size_t i = next; i < stretches.size() && stretches[i].start < with.end; ++i)
    sum += std::min(stretches[i].end, with.end) - std::max(stretches[i].start, with.start);
  return sum;
}

}  // namespace sextant::spans
