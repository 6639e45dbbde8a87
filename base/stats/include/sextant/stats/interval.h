// A closed range of values, as every estimate carries one. Either end may be infinite.
#pragma once

namespace sextant::stats {

struct Interval {
  double low = 0;
  double high = 0;

  [[nodiscard]] constexpr double width() const { return high - low; }
  [[nodiscard]] constexpr bool contains(double x) const { return low <= x && x <= high; }
  constexpr bool operator==(const Interval&) const = default;
};

}  // namespace sextant::stats
