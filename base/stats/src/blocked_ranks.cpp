#include <Eigen/QR>
#include <algorithm>

#include "checks.h"
#include "index.h"
#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/ranks.h"

namespace sextant::stats {
namespace {

constexpr double kPivotTolerance = 1e-10;

// Sums of weighted ranks less what chance gives, their covariance, and counts.
struct RankSums {
  Eigen::VectorXd off;
  Eigen::MatrixXd covariance;
  Eigen::VectorXd scaled;  // sums of rank / (size + 1)
  Eigen::VectorXd counts;
};

void add_block(RankSums& sums, const std::vector<std::vector<double>>& block) {
  std::vector<double> all;
  for (const std::vector<double>& group : block) all.insert(all.end(), group.begin(), group.end());
  if (all.empty()) return;
  const RankedSample sample = ranked(all);
  const auto n = static_cast<double>(all.size());
  const double weight = 1 / (n + 1);
  // Variance of a rank drawn from this block: (n^3 - n - ties) / (12 (n - 1)).
  const double spread = n > 1 ? (n * n * n - n - sample.tie_term) / (12 * (n - 1)) : 0;
  Eigen::VectorXd counts(index(block.size()));
  std::size_t next = 0;
  for (std::size_t g = 0; g < block.size(); ++g) {
    double total = 0;
    for (std::size_t i = 0; i < block[g].size(); ++i) total += sample.ranks[next++];
    counts(index(g)) = static_cast<double>(block[g].size());
    sums.off(index(g)) += weight * (total - counts(index(g)) * (n + 1) / 2);
    sums.scaled(index(g)) += weight * total;
  }
  sums.counts += counts;
  Eigen::MatrixXd covariance = -counts * counts.transpose() / n;
  covariance.diagonal() += counts;
  sums.covariance += weight * weight * spread * covariance;
}

}  // namespace

KruskalWallisTest blocked_kruskal_wallis(std::span<const std::vector<std::vector<double>>> blocks) {
  stats::check_count(blocks.size(), 1, "rank test within blocks");
  const std::size_t groups = blocks.front().size();
  stats::check_count(groups, 2, "rank test within blocks: groups");
  const Eigen::Index size = index(groups);
  RankSums sums{Eigen::VectorXd::Zero(size), Eigen::MatrixXd::Zero(size, size), Eigen::VectorXd::Zero(size),
                Eigen::VectorXd::Zero(size)};
  for (const auto& block : blocks) {
    stats::check_same_length(groups, block.size(), "rank test within blocks: groups");
    add_block(sums, block);
  }
  if (sums.counts.minCoeff() < 1) throw InputError("rank test within blocks: a group is empty");
  KruskalWallisTest test;
  for (Eigen::Index g = 0; g < size; ++g) {
    test.mean_ranks.push_back(sums.scaled(g) / sums.counts(g));
    test.small_groups = test.small_groups || sums.counts(g) < 5;
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> inverse;
  inverse.setThreshold(kPivotTolerance);
  inverse.compute(sums.covariance);
  if (inverse.rank() == 0) {  // nothing differs within any block
    test.df = static_cast<double>(groups - 1);
    return test;
  }
  test.df = static_cast<double>(inverse.rank());
  test.h = std::max(0.0, sums.off.dot(inverse.solve(sums.off)));
  test.p = upper_tail(ChiSquare{test.df}, test.h);
  const double freedom = sums.counts.sum() - static_cast<double>(blocks.size());
  test.epsilon_squared = freedom > 0 ? test.h / freedom : 0;
  return test;
}

}  // namespace sextant::stats
