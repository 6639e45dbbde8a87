#include "hypervolume.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"

namespace sextant::explore {
namespace {

using Points = std::vector<std::vector<double>>;

// In the first `dimension` coordinates. All points are below the reference.
double volume(Points points, std::span<const double> reference, std::size_t dimension) {
  if (points.empty()) return 0;
  const std::size_t last = dimension - 1;
  std::ranges::sort(points, {}, [&](const std::vector<double>& point) { return point[last]; });
  if (dimension == 1) return reference[0] - points.front()[0];
  double sum = 0;
  double least = reference[0];  // two objectives: a staircase
  Points below;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double end = i + 1 < points.size() ? points[i + 1][last] : reference[last];
    const double thickness = end - points[i][last];
    if (dimension == 2) {
      least = std::min(least, points[i][0]);
      sum += (reference[0] - least) * thickness;
      continue;
    }
    below.push_back(points[i]);
    if (thickness > 0) sum += thickness * volume(below, reference, dimension - 1);
  }
  return sum;
}

}  // namespace

double hypervolume(std::span<const std::vector<double>> points, std::span<const double> reference) {
  if (reference.empty()) throw InputError("a hypervolume needs at least one objective");
  Points inside;
  for (const std::vector<double>& point : points) {
    if (point.size() != reference.size()) {
      throw InputError("a point of " + std::to_string(point.size()) + " objectives and a reference of " +
                       std::to_string(reference.size()));
    }
    if (std::ranges::any_of(point, [](double x) { return std::isnan(x); })) {
      throw InputError("a point of a hypervolume is NaN");
    }
    bool below = true;
    for (std::size_t j = 0; j < point.size(); ++j) below = below && point[j] < reference[j];
    if (below) inside.push_back(point);
  }
  return volume(std::move(inside), reference, reference.size());
}

}  // namespace sextant::explore
