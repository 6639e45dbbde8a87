#include "latin_hypercube.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sextant::explore {
namespace {

using Points = std::vector<std::vector<double>>;

double axis_distance(double a, double b, std::size_t levels) {
  if (levels == 0) return (a - b) * (a - b);
  const auto count = static_cast<double>(levels);
  return std::floor(a * count) == std::floor(b * count) ? 0 : 1;
}

// Sum over pairs of d^-20, whose minimum is close to the largest smallest distance and is smooth.
double repulsion(double squared) {
  const double floored = std::max(squared, 1e-12);
  const double inverse = 1 / floored;
  const double second = inverse * inverse;
  const double fourth = second * second;
  return fourth * fourth * second;
}

double squared(const std::vector<double>& a, const std::vector<double>& b,
               const std::vector<std::size_t>& levels) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += axis_distance(a[k], b[k], levels[k]);
  return sum;
}

double total_repulsion(const Points& points, const std::vector<std::size_t>& levels) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j)
      sum += repulsion(squared(points[i], points[j], levels));
  }
  return sum;
}

Points drawn(std::size_t count, std::size_t axes, Rng& rng) {
  Points points(count, std::vector<double>(axes));
  std::vector<std::size_t> order(count);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    for (std::size_t i = 0; i < count; ++i) {
      points[i][axis] = (static_cast<double>(order[i]) + 0.5) / static_cast<double>(count);
    }
  }
  return points;
}

// What two points add to the criterion, their own pair counted once.
double share_of(const Points& points, std::size_t a, std::size_t b, const std::vector<std::size_t>& levels) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i != a) sum += repulsion(squared(points[i], points[a], levels));
    if (i != a && i != b) sum += repulsion(squared(points[i], points[b], levels));
  }
  return sum;
}

void exchange(Points& points, std::size_t exchanges, const std::vector<std::size_t>& levels, Rng& rng) {
  if (points.size() < 3) return;
  for (std::size_t i = 0; i < exchanges; ++i) {
    const std::size_t a = rng.below(points.size());
    const std::size_t b = rng.below(points.size());
    const std::size_t axis = rng.below(levels.size());
    if (a == b) continue;
    const double before = share_of(points, a, b, levels);
    std::swap(points[a][axis], points[b][axis]);
    if (share_of(points, a, b, levels) >= before) std::swap(points[a][axis], points[b][axis]);
  }
}

}  // namespace

std::vector<std::vector<double>> latin_hypercube(const LatinHypercubeOptions& options, Rng& rng) {
  Points best = drawn(options.points, options.levels.size(), rng);
  double least = options.tries > 1 ? total_repulsion(best, options.levels) : 0;
  for (std::size_t i = 1; i < options.tries; ++i) {
    Points other = drawn(options.points, options.levels.size(), rng);
    const double sum = total_repulsion(other, options.levels);
    if (sum >= least) continue;
    least = sum;
    best = std::move(other);
  }
  exchange(best, options.exchanges, options.levels, rng);
  return best;
}

double smallest_distance(const std::vector<std::vector<double>>& points) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      least = std::min(least, squared(points[i], points[j], std::vector<std::size_t>(points[i].size(), 0)));
    }
  }
  return std::sqrt(least);
}

}  // namespace sextant::explore
