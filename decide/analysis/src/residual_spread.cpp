#include "residual_spread.h"

#include <algorithm>
#include <cmath>

#include "sextant/stats/distributions.h"
#include "sextant/stats/robust.h"
#include "term_model.h"

namespace sextant::analysis {
namespace {

constexpr std::size_t kMostSpreadRuns = 2000;
constexpr std::size_t kLeastOfALevel = 3;
constexpr double kNoShare = 1e-8;  // of the variance: the model takes up the run

Eigen::Index eigen_index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

// I - H over some of the runs.
Eigen::MatrixXd residual_maker(const AnalysisTable& table, int order, const std::vector<std::size_t>& runs) {
  const TermModel model = term_model(table, order);
  Eigen::MatrixXd columns(eigen_index(runs.size()), model.columns.cols());
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    columns.middleCols(model.first[t], model.width[t]) = term_columns(table, model.terms[t], runs);
  }
  columns = (columns.rowwise() - model.centre.transpose()) * model.norm.cwiseInverse().asDiagonal();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(model.columns);
  const Eigen::Index rank = rank_of(qr);
  const Eigen::MatrixXd placed = (columns * qr.colsPermutation()).leftCols(rank);
  const auto root = qr.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
  const Eigen::MatrixXd basis = root.transpose().solve(placed.transpose());
  Eigen::MatrixXd maker = -(basis.transpose() * basis);
  maker.array() -= 1 / static_cast<double>(model.runs);
  maker.diagonal().array() += 1;
  return maker;
}

// Members of each level that has enough of them, as places in `runs`.
std::vector<std::vector<Eigen::Index>> groups_of(const AnalysisFactor& factor,
                                                 const std::vector<std::size_t>& runs) {
  std::vector<std::vector<Eigen::Index>> groups(factor.levels.size());
  for (std::size_t i = 0; i < runs.size(); ++i) groups[factor.level[runs[i]]].push_back(eigen_index(i));
  std::erase_if(groups, [](const auto& group) { return group.size() < kLeastOfALevel; });
  return groups;
}

// What a quadratic form is expected to be, and its degrees of freedom.
struct Expected {
  double sum = 0;
  double df = 0;
};
Expected expected(const Eigen::MatrixXd& projected) {  // P C P
  const double trace = projected.trace();
  const double squares = projected.squaredNorm();
  return {trace, squares > 0 ? trace * trace / squares : 0};
}

// Rows: members of groups one after the other; columns: a unit vector per group.
Eigen::MatrixXd group_basis(const std::vector<std::vector<Eigen::Index>>& groups, Eigen::Index members) {
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(members, eigen_index(groups.size()));
  Eigen::Index next = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Eigen::Index size = eigen_index(groups[g].size());
    basis.col(eigen_index(g)).segment(next, size).setConstant(1 / std::sqrt(static_cast<double>(size)));
    next += size;
  }
  return basis;
}

}  // namespace

ResidualSpread::ResidualSpread(const AnalysisTable& table, const AnovaResult& result) {
  std::vector<std::size_t> chosen;
  const std::size_t count = std::min(table.rows(), kMostSpreadRuns);
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(i * table.rows() / count);
  const Eigen::MatrixXd maker = residual_maker(table, result.order, chosen);
  std::vector<Eigen::Index> kept;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const double share = maker(eigen_index(i), eigen_index(i));
    if (share < kNoShare) continue;
    kept.push_back(eigen_index(i));
    runs_.push_back(chosen[i]);
    scaled_.push_back(result.residuals[chosen[i]] / std::sqrt(share));
  }
  covariance_ = maker(kept, kept);
  const Eigen::VectorXd scale = covariance_.diagonal().cwiseSqrt().cwiseInverse();
  covariance_ = scale.asDiagonal() * covariance_ * scale.asDiagonal();
  covariance_ = covariance_.unaryExpr([](double r) {
    const double inside = std::clamp(r, -1.0, 1.0);
    return inside * std::asin(inside) + std::sqrt(1 - inside * inside) - 1;
  });
}

std::optional<stats::FTest> ResidualSpread::test(const AnalysisFactor& factor) const {
  const std::vector<std::vector<Eigen::Index>> groups = groups_of(factor, runs_);
  if (groups.size() < 2) return std::nullopt;
  std::vector<Eigen::Index> members;
  std::vector<double> distances;
  for (const std::vector<Eigen::Index>& group : groups) {
    std::vector<double> values;
    for (const Eigen::Index i : group) values.push_back(scaled_[static_cast<std::size_t>(i)]);
    const double middle = stats::median(values);
    for (const double value : values) distances.push_back(std::abs(value - middle));
    members.insert(members.end(), group.begin(), group.end());
  }
  const Eigen::MatrixXd covariance = covariance_(members, members);
  const Eigen::Map<const Eigen::VectorXd> z(distances.data(), eigen_index(distances.size()));
  const Eigen::MatrixXd basis = group_basis(groups, z.size());
  // Between the groups, in their coordinates; the mean of all is one direction of them.
  const Eigen::VectorXd all = basis.colwise().sum().transpose().normalized();
  const Eigen::MatrixXd off = Eigen::MatrixXd::Identity(all.size(), all.size()) - all * all.transpose();
  const Eigen::MatrixXd shared = covariance * basis;
  const Expected between = expected(off * (basis.transpose() * shared) * off);
  const Eigen::MatrixXd half = covariance - basis * shared.transpose();
  const Expected within = expected(half - (half * basis) * basis.transpose());
  const double between_ss = (off * (basis.transpose() * z)).squaredNorm();
  const double within_ss = (z - basis * (basis.transpose() * z)).squaredNorm();
  if (!(between.sum > 0) || !(within.sum > kNoShare) || !(within_ss > 0)) return std::nullopt;
  stats::FTest test{
      .f = between_ss / between.sum / (within_ss / within.sum), .df1 = between.df, .df2 = within.df};
  test.p = upper_tail(stats::FisherF{test.df1, test.df2}, test.f);
  return test;
}

}  // namespace sextant::analysis
