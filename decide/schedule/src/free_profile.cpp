#include "free_profile.h"

#include <algorithm>

namespace sextant::schedule {

void FreeProfile::reset(double now_s, std::int64_t free, std::span<const ExpectedEnd> ends) {
  steps_.assign(1, {.from_s = now_s, .free = free});
  for (const ExpectedEnd& end : ends) {
    // One that should have ended by now will at any moment, but has not.
    const double at = std::max(end.end_s, now_s + kSameInstant);
    free += end.gpus;
    if (at == std::numeric_limits<double>::infinity()) break;
    if (at > steps_.back().from_s) steps_.push_back({.from_s = at, .free = free});
    steps_.back().free = free;
  }
}

double FreeProfile::earliest(std::int64_t gpus, double length_s) const {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    // The step at which the gang would end may already belong to somebody else.
    if (begin < i && steps_[i].from_s >= steps_[begin].from_s + length_s - kSameInstant) break;
    if (steps_[i].free < gpus) begin = i + 1;
  }
  return begin < steps_.size() ? steps_[begin].from_s : std::numeric_limits<double>::infinity();
}

std::size_t FreeProfile::split(double at_s) {
  const auto after = std::ranges::upper_bound(steps_, at_s, {}, &Step::from_s);
  const auto before = static_cast<std::size_t>(after - steps_.begin()) - 1;
  if (at_s - steps_[before].from_s <= kSameInstant) return before;
  if (after != steps_.end() && after->from_s - at_s <= kSameInstant) return before + 1;
  steps_.insert(after, {.from_s = at_s, .free = steps_[before].free});
  return before + 1;
}

void FreeProfile::reserve(double from_s, double length_s, std::int64_t gpus) {
  const std::size_t begin = split(from_s);
  const double until = from_s + length_s;
  const std::size_t end = until < std::numeric_limits<double>::infinity() ? split(until) : steps_.size();
  for (std::size_t i = begin; i < end; ++i) steps_[i].free -= gpus;
}

}  // namespace sextant::schedule
