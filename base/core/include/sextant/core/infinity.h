// Infinity and "no number", by names that fit into a formula.
#pragma once

#include <limits>

namespace sextant {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace sextant
