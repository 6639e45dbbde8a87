#include "gittins_index.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace sextant::schedule {
namespace {

constexpr double kFirstPoint = 60;  // GPU-seconds
constexpr double kGridRatio = 1.5;  // of neighbouring points
constexpr double kLastPoint = 1e9;
constexpr std::size_t kMostSizes = 1024;  // order statistics that stand for a larger sample

std::vector<double> thinned(const std::vector<double>& sizes) {
  if (sizes.size() <= kMostSizes) return sizes;
  std::vector<double> some;
  for (std::size_t i = 0; i < kMostSizes; ++i)
    some.push_back(sizes[(2 * i + 1) * sizes.size() / (2 * kMostSizes)]);
  return some;
}

}  // namespace

double gittins_index(std::span<const double> sizes, double attained) {
  const auto first = std::ranges::upper_bound(sizes, attained);
  const auto left = static_cast<std::size_t>(sizes.end() - first);
  double best = 0;
  double spent = 0;  // on those that end, sum of S - a
  for (std::size_t k = 0; k < left; ++k) {
    const double gap = first[static_cast<std::ptrdiff_t>(k)] - attained;
    spent += gap;
    const auto ended = static_cast<double>(k + 1);
    // Those that do not end cost the whole of d. P and E share the divisor `left`.
    best = std::max(best, ended / (spent + static_cast<double>(left - k - 1) * gap));
  }
  return best;
}

GittinsTable::GittinsTable() : grid_{0} {
  for (double at = kFirstPoint; at < kLastPoint; at *= kGridRatio) grid_.push_back(at);
  index_.assign(grid_.size(), 0.0);
}

void GittinsTable::refresh() {
  if (fresh_.empty()) return;
  std::ranges::sort(fresh_);
  const auto middle = static_cast<std::ptrdiff_t>(sizes_.size());
  sizes_.insert(sizes_.end(), fresh_.begin(), fresh_.end());
  std::inplace_merge(sizes_.begin(), sizes_.begin() + middle, sizes_.end());
  fresh_.clear();
  const std::vector<double> sample = thinned(sizes_);
  for (std::size_t i = 0; i < grid_.size(); ++i) index_[i] = gittins_index(sample, grid_[i]);
}

std::size_t GittinsTable::point(double attained) const {
  const auto after = std::ranges::upper_bound(grid_, std::max(attained, 0.0));
  return static_cast<std::size_t>(after - grid_.begin()) - 1;
}

double GittinsTable::index(double attained) const {
  return index_[point(attained)];
}

double GittinsTable::next_point(double attained) const {
  const std::size_t next = point(attained) + 1;
  return next < grid_.size() ? grid_[next] : std::numeric_limits<double>::infinity();
}

}  // namespace sextant::schedule
