#include "spread_starts.h"

#include <algorithm>
#include <limits>

namespace sextant::explore {
namespace {

// Of equal values any one is as good: by their order of drawing.
Eigen::Index least(const Eigen::VectorXd& values, Rng& rng) {
  Eigen::Index best = 0;
  std::uint64_t ties = 0;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (values[i] < values[best] - 1e-12) {
      best = i;
      ties = 1;
    } else if (values[i] <= values[best] + 1e-12 && rng.below(++ties) == 0) {
      best = i;
    }
  }
  return best;
}

GpPoints columns(const GpPoints& points, const std::vector<Eigen::Index>& chosen) {
  return points(Eigen::all, chosen);
}

}  // namespace

Eigen::VectorXd offset_from_middle(const GpPoints& points) {
  const Eigen::VectorXd middle = points.rowwise().mean();
  return (points.colwise() - middle).colwise().squaredNorm().transpose();
}

Eigen::Index farthest(const GpPoints& points, const GpPoints& tried) {
  Eigen::Index best = 0;
  double most = -1;
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    const double nearest = (tried.colwise() - points.col(i)).colwise().squaredNorm().minCoeff();
    if (nearest <= most) continue;
    most = nearest;
    best = i;
  }
  return best;
}

std::vector<Eigen::Index> spread_starts(const FeatureMap& features, const GpPoints& points, std::size_t count,
                                        Rng& rng) {
  std::vector<Eigen::Index> starts;
  if (points.cols() == 0) return starts;
  if (!features.amounts().empty()) {
    const Eigen::VectorXd size = points(features.amounts(), Eigen::all).colwise().sum().transpose();
    starts.push_back(least(size, rng));
    starts.push_back(least(-size, rng));
  }
  Eigen::VectorXd off = offset_from_middle(points);
  for (const Eigen::Index taken : starts) off[taken] = std::numeric_limits<double>::max();
  starts.push_back(least(off, rng));
  const auto enough = std::min(count, static_cast<std::size_t>(points.cols()));
  while (starts.size() < enough) starts.push_back(farthest(points, columns(points, starts)));
  starts.resize(enough);
  return starts;
}

}  // namespace sextant::explore
