#include "sextant/analysis/aligned_ranks.h"

#include <cmath>
#include <numeric>

#include "sextant/stats/distributions.h"
#include "sextant/stats/ranks.h"
#include "term_model.h"

namespace sextant::analysis {
namespace {

constexpr double kFewSeconds = 1e10;  // of runs x columns^2 x terms
constexpr double kAlike = 1e-9;       // of the largest: rounding does not tell two aligned values apart

// Columns of the terms over all runs, centred.
struct RunColumns {
  Eigen::MatrixXd all;
  std::vector<Eigen::Index> first = {};
  std::vector<Eigen::Index> width = {};
};

RunColumns run_columns(const AnalysisTable& table, const AnovaResult& result) {
  std::vector<std::size_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Eigen::Index width = 0;
  for (const AnovaRow& row : result.rows) width += static_cast<Eigen::Index>(term_width(table, row.factors));
  RunColumns out{.all = Eigen::MatrixXd(static_cast<Eigen::Index>(rows.size()), width)};
  for (const AnovaRow& row : result.rows) {
    out.first.push_back(out.width.empty() ? 0 : out.first.back() + out.width.back());
    out.width.push_back(static_cast<Eigen::Index>(term_width(table, row.factors)));
    out.all.middleCols(out.first.back(), out.width.back()) = term_columns(table, row.factors, rows);
  }
  for (Eigen::Index j = 0; j < width; ++j) {
    out.all.col(j).array() -= out.all.col(j).mean();
    const double norm = out.all.col(j).norm();
    if (norm > 0) out.all.col(j) /= norm;
  }
  return out;
}

// The columns of the terms that this one is judged beside: as in the analysis of variance.
Eigen::MatrixXd columns_beside(const RunColumns& columns, const AnovaResult& result, std::size_t which) {
  Eigen::MatrixXd out(columns.all.rows(), 0);
  for (std::size_t t = 0; t < result.rows.size(); ++t) {
    const bool above = result.type == SumsOfSquares::type_two &&
                       contains(result.rows[t].factors, result.rows[which].factors);
    if (t == which || above) continue;
    const Eigen::Index before = out.cols();
    out.conservativeResize(Eigen::NoChange, before + columns.width[t]);
    out.rightCols(columns.width[t]) = columns.all.middleCols(columns.first[t], columns.width[t]);
  }
  return out;
}

// Ranks of values of which those that only rounding tells apart are ties.
Eigen::VectorXd centred_ranks(const Eigen::VectorXd& values) {
  const double grain = kAlike * values.cwiseAbs().maxCoeff();
  std::vector<double> rounded(static_cast<std::size_t>(values.size()));
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    const double value = values(static_cast<Eigen::Index>(i));
    rounded[i] = grain > 0 ? std::round(value / grain) : 0;
  }
  const std::vector<double> ranks = stats::ranked(rounded).ranks;
  Eigen::VectorXd out = Eigen::Map<const Eigen::VectorXd>(ranks.data(), values.size());
  return out.array() - out.mean();
}

}  // namespace

std::vector<std::optional<double>> aligned_rank_tests(const AnalysisTable& table, const AnovaResult& result) {
  if (!(result.residual_df > 0) || !(result.residual_ss > 0)) return {};
  const auto width = static_cast<double>(model_width(table, result.order));
  const auto terms = static_cast<double>(result.rows.size());
  if (static_cast<double>(table.rows()) * width * width * terms > kFewSeconds) return {};
  const RunColumns columns = run_columns(table, result);
  const auto runs = static_cast<Eigen::Index>(table.rows());
  const Eigen::VectorXd residuals = Eigen::Map<const Eigen::VectorXd>(result.residuals.data(), runs);
  Eigen::VectorXd response = Eigen::Map<const Eigen::VectorXd>(table.y.data(), runs);
  response.array() -= response.mean();
  std::vector<std::optional<double>> out;
  for (std::size_t t = 0; t < result.rows.size(); ++t) {
    out.emplace_back();
    if (result.rows[t].df == 0) continue;
    const Eigen::MatrixXd beside = columns_beside(columns, result, t);
    const Eigen::MatrixXd own = columns.all.middleCols(columns.first[t], columns.width[t]);
    const Eigen::VectorXd ranks = centred_ranks(residuals + project_beyond(beside, own, response).fitted);
    const double explained = project_beyond(beside, own, ranks).fitted.squaredNorm();
    const double left = (ranks - project(columns.all, ranks).fitted).squaredNorm();
    if (!(left > 0)) continue;
    const double f = explained / result.rows[t].df / (left / result.residual_df);
    out.back() = upper_tail(stats::FisherF{result.rows[t].df, result.residual_df}, f);
  }
  return out;
}

}  // namespace sextant::analysis
