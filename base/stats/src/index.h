// Eigen counts with signed numbers.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace sextant::stats {

inline Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

}  // namespace sextant::stats
