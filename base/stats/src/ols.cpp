#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "checks.h"
#include "design.h"
#include "index.h"
#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/linear_model.h"

namespace sextant::stats {
namespace {

using stats::PreparedDesign;
constexpr double kRankTolerance = 1e-10;  // of a column's norm

// The factorisation of the columns, each divided by its norm so that one tolerance fits all and
// the pivots do not depend on units.
struct Factors {
  Eigen::MatrixXd q;                // rows x rank
  Eigen::MatrixXd r;                // rank x columns, in pivot order
  std::vector<std::size_t> pivots;  // column of each position; the first `rank` are kept
  std::vector<double> scale;        // of each column
  Eigen::Index rank = 0;
};

Factors factorise(const PreparedDesign& design) {
  Factors f{
      .q = {}, .r = {}, .pivots = std::vector<std::size_t>(design.x_norm.size()), .scale = design.x_norm};
  std::iota(f.pivots.begin(), f.pivots.end(), std::size_t{0});
  for (double& s : f.scale) s = s > 0 ? s : 1;
  f.q = Eigen::MatrixXd(design.x.rows(), 0);
  f.r = Eigen::MatrixXd(0, design.x.cols());
  if (design.x.cols() == 0) return f;
  Eigen::MatrixXd scaled = design.x;
  for (std::size_t j = 0; j < f.scale.size(); ++j) scaled.col(index(j)) /= f.scale[j];
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled);
  const auto& order = qr.colsPermutation().indices();
  std::ranges::transform(order, f.pivots.begin(),
                         [](int column) { return static_cast<std::size_t>(column); });
  const Eigen::Index most = std::min(scaled.rows(), scaled.cols());
  while (f.rank < most && std::abs(qr.matrixQR()(f.rank, f.rank)) >= kRankTolerance) ++f.rank;
  f.q = qr.householderQ() * Eigen::MatrixXd::Identity(scaled.rows(), f.rank);
  f.r = qr.matrixQR().topRows(f.rank).triangularView<Eigen::Upper>();
  return f;
}

// x with R x = b for the kept columns.
template <class B>
auto solve_kept(const Factors& f, const B& b) {
  return f.r.leftCols(f.rank).template triangularView<Eigen::Upper>().solve(b).eval();
}

// Positions of the kept columns in the order of the columns themselves.
std::vector<std::size_t> kept_positions(const Factors& f) {
  std::vector<std::size_t> positions(static_cast<std::size_t>(f.rank));
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  std::ranges::sort(positions, {}, [&](std::size_t k) { return f.pivots[k]; });
  return positions;
}

OlsBasis make_basis(const PreparedDesign& design, const Factors& f, Intercept intercept) {
  const auto kept = kept_positions(f);
  OlsBasis basis{.columns = {}, .means = {}, .root = Matrix(kept.size(), kept.size())};
  const Eigen::MatrixXd inverse = solve_kept(f, Eigen::MatrixXd::Identity(f.rank, f.rank));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::size_t column = f.pivots[kept[i]];
    basis.columns.push_back(column);
    basis.means.push_back(design.x_mean[column]);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      basis.root(i, k) = inverse(index(kept[i]), index(k)) / f.scale[column];
    }
  }
  if (intercept == Intercept::fitted) basis.mean_variance = 1 / design.weight_sum;
  return basis;
}

std::vector<DroppedColumn> dropped_columns(const Design& input, const PreparedDesign& design,
                                           const Factors& f) {
  std::vector<DroppedColumn> dropped;
  const auto kept = kept_positions(f);
  for (std::size_t k = kept.size(); k < f.pivots.size(); ++k) {
    const std::size_t column = f.pivots[k];
    DroppedColumn d{
        .column = column,
        .name = stats::column_name(input, column),
        .reason = "constant",
        .offset = design.x_mean[column],
        .by_column = {},
        .tolerance = std::max(1e-6 * design.x_norm[column] / std::sqrt(design.weight_sum), stats::kSmallest)};
    if (design.x.col(index(column)).stableNorm() >= kRankTolerance * f.scale[column]) {
      d.reason = "linear combination of the kept columns";
      const Eigen::VectorXd weights = solve_kept(f, f.r.col(index(k)));
      for (const std::size_t p : kept) {
        d.by_column.push_back(weights[index(p)] * f.scale[column] / f.scale[f.pivots[p]]);
        d.offset -= d.by_column.back() * design.x_mean[f.pivots[p]];
      }
    }
    dropped.push_back(std::move(d));
  }
  std::ranges::sort(dropped, {}, &DroppedColumn::column);
  return dropped;
}

void fill_residuals(OlsFit& fit, const PreparedDesign& design, const Factors& f) {
  const Eigen::VectorXd weighted = design.y - f.q * (f.q.transpose() * design.y);
  fit.residuals = stats::unweighted(weighted, design);
  fit.rss = weighted.squaredNorm();
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(design.y.size());
  if (f.rank > 0) squares = f.q.rowwise().squaredNorm();
  for (std::size_t i = 0; i < fit.rows; ++i) {
    const double root = design.root_weight[index(i)];
    const double form = fit.basis.mean_variance + squares[index(i)] / (root * root);
    const double leverage = std::min(form * root * root, 1.0);
    const double loo = 1 - leverage < kRankTolerance ? kInfinity : fit.residuals[i] / (1 - leverage);
    fit.basis.max_leverage = std::max(fit.basis.max_leverage, form);
    fit.leverages.push_back(leverage);
    fit.loo_residuals.push_back(loo);
    fit.press += root * root * loo * loo;
  }
}

void fill_quality(OlsFit& fit, const PreparedDesign& design, Intercept intercept) {
  fit.df = static_cast<double>(fit.rows - fit.terms.size());
  fit.sigma = fit.df > 0 ? std::sqrt(fit.rss / fit.df) : kInfinity;
  const double total = design.y.squaredNorm();
  if (total == 0) return;
  fit.r2 = std::max(0.0, 1 - fit.rss / total);
  const double total_df = static_cast<double>(fit.rows) - (intercept == Intercept::fitted ? 1 : 0);
  if (fit.df > 0) fit.adjusted_r2 = 1 - (1 - fit.r2) * total_df / fit.df;
}

// The coefficients; their errors follow once sigma is known.
void fill_terms(OlsFit& fit, const Design& input, const PreparedDesign& design, const Factors& f) {
  const Eigen::VectorXd beta = solve_kept(f, (f.q.transpose() * design.y).eval());
  fit.coefficients.assign(design.x_norm.size(), 0.0);
  fit.intercept = design.y_mean;
  for (const std::size_t k : kept_positions(f)) {
    const std::size_t column = f.pivots[k];
    const double value = beta[index(k)] / f.scale[column];
    fit.coefficients[column] = value;
    fit.intercept -= value * design.x_mean[column];
    fit.terms.push_back({.name = stats::column_name(input, column), .column = column, .coefficient = value});
  }
}

double unscaled_variance(const OlsBasis& basis, const OlsTerm& term) {
  const std::size_t size = basis.columns.size();
  std::vector<double> along(size, 0.0);  // root' c, where c picks the term out of the coefficients
  for (std::size_t i = 0; i < size; ++i) {
    const double pick = !term.column ? basis.means[i] : (*term.column == basis.columns[i] ? 1.0 : 0.0);
    for (std::size_t k = 0; k < size; ++k) along[k] += basis.root(i, k) * pick;
  }
  const double offset = term.column ? 0 : basis.mean_variance;
  return std::inner_product(along.begin(), along.end(), along.begin(), offset);
}

void fill_errors(OlsFit& fit) {
  for (OlsTerm& term : fit.terms) {
    if (fit.df == 0) {
      term.standard_error = kInfinity;
      continue;
    }
    term.standard_error = fit.sigma * std::sqrt(unscaled_variance(fit.basis, term));
    if (term.coefficient != 0) term.t = term.coefficient / term.standard_error;
    term.p = two_sided_p(StudentT{fit.df}, term.t);
  }
}

}  // namespace

OlsFit fit_ols(const Design& design, Intercept intercept) {
  stats::check_design(design, "least squares");
  const std::size_t wanted = design.x.columns() + (intercept == Intercept::fitted ? 1 : 0);
  if (wanted == 0) throw InputError({}, "least squares has no terms", "give a column or fit an intercept");
  if (design.y.size() < wanted) {
    throw InputError({},
                     "least squares: " + std::to_string(design.y.size()) + " rows cannot determine " +
                         std::to_string(wanted) + " terms",
                     "add rows, select fewer columns, or use ridge");
  }
  const PreparedDesign prepared = stats::prepare(design, intercept);
  const Factors factors = factorise(prepared);
  OlsFit fit;
  fit.rows = design.y.size();
  fit.basis = make_basis(prepared, factors, intercept);
  fit.dropped = dropped_columns(design, prepared, factors);
  fill_residuals(fit, prepared, factors);
  fill_terms(fit, design, prepared, factors);
  if (intercept == Intercept::fitted) {
    fit.terms.insert(fit.terms.begin(),
                     {.name = "(intercept)", .column = std::nullopt, .coefficient = fit.intercept});
  }
  fill_quality(fit, prepared, intercept);
  fill_errors(fit);
  return fit;
}

}  // namespace sextant::stats
