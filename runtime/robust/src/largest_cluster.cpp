#include "largest_cluster.h"

#include <algorithm>
#include <cmath>

namespace sextant::robust {
namespace {

constexpr int kMostShifts = 100;
constexpr double kSettled = 1e-3;  // of the radius

double gap(const Point3& a, const Point3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double kernel_radius(const std::vector<Point3>& points) {
  const std::size_t n = points.size();
  double sum = 0;
  std::vector<double> gaps(n);
  for (const Point3& point : points) {
    std::ranges::transform(points, gaps.begin(), [&](const Point3& other) { return gap(point, other); });
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(n / 2);
    std::ranges::nth_element(gaps, middle);
    sum += *middle;
  }
  return sum / static_cast<double>(n);
}

struct Mode {
  Point3 place = {};
  std::size_t near = 0;  // points within the radius
};

Mode climb(Point3 place, const std::vector<Point3>& points, double radius) {
  Mode mode{.place = place};
  for (int k = 0; k < kMostShifts; ++k) {
    Point3 sum = {};
    mode.near = 0;
    for (const Point3& point : points) {
      if (gap(point, mode.place) > radius) continue;
      for (std::size_t a = 0; a < sum.size(); ++a) sum[a] += point[a];
      ++mode.near;
    }
    if (mode.near == 0) break;
    for (double& each : sum) each /= static_cast<double>(mode.near);
    const double moved = gap(sum, mode.place);
    mode.place = sum;
    if (moved <= kSettled * radius) break;
  }
  return mode;
}

}  // namespace

std::vector<std::size_t> largest_cluster(const std::vector<Point3>& points) {
  if (points.empty()) return {};
  const double radius = kernel_radius(points);
  std::vector<Mode> modes;
  for (const Point3& point : points) modes.push_back(climb(point, points, radius));
  // Those with most points first; of equals by place, so that the order of the points does not matter.
  std::ranges::sort(modes, [](const Mode& a, const Mode& b) {
    return a.near != b.near ? a.near > b.near : a.place < b.place;
  });
  std::vector<Mode> apart;
  for (const Mode& mode : modes) {
    if (std::ranges::none_of(apart,
                             [&](const Mode& other) { return gap(mode.place, other.place) <= radius; })) {
      apart.push_back(mode);
    }
  }
  std::vector<std::vector<std::size_t>> members(apart.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto nearest =
        std::ranges::min_element(apart, {}, [&](const Mode& mode) { return gap(mode.place, points[i]); });
    members[static_cast<std::size_t>(nearest - apart.begin())].push_back(i);
  }
  return *std::ranges::max_element(members, {}, &std::vector<std::size_t>::size);
}

}  // namespace sextant::robust
