// Mean shift with a flat kernel (Comaniciu, Meer, PAMI 2002) over a few points: the members of the largest
// cluster.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace sextant::robust {

using Point3 = std::array<double, 3>;

// The kernel's radius is the mean distance of a point from its (n / 2)th nearest other.
std::vector<std::size_t> largest_cluster(const std::vector<Point3>& points);

}  // namespace sextant::robust
