#include "term_model.h"

#include <algorithm>
#include <cmath>

#include "run_cells.h"
#include "sextant/core/error.h"
#include "sextant/stats/summary.h"

namespace sextant::analysis {
namespace {

constexpr double kRankTolerance = 1e-10;  // of a column's norm

using PivotedQr = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
using Sizes = Eigen::Array<std::size_t, Eigen::Dynamic, 1>;

// A row per cell, times the root of its size: centred over the runs, and of a norm of at most 1.
Eigen::MatrixXd cell_columns(const AnalysisTable& table, const RunCells& cells, TermModel& model) {
  Eigen::Index width = 0;
  for (const TermFactors& term : model.terms) {
    model.first.push_back(width);
    model.width.push_back(static_cast<Eigen::Index>(term_width(table, term)));
    width += model.width.back();
  }
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(cells.first.size()), width);
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    columns.middleCols(model.first[t], model.width[t]) = term_columns(table, model.terms[t], cells.first);
  }
  const Eigen::ArrayXd sizes = Eigen::Map<const Sizes>(cells.size.data(), columns.rows()).cast<double>();
  model.centre.resize(width);
  model.norm.resize(width);
  for (Eigen::Index j = 0; j < width; ++j) {
    const double norm = (columns.col(j).array() * sizes.sqrt()).matrix().stableNorm();
    model.norm(j) = norm > 0 ? norm : 1;
    model.centre(j) = (columns.col(j).array() * sizes).sum() / static_cast<double>(model.runs);
    columns.col(j) = (columns.col(j).array() - model.centre(j)) / model.norm(j) * sizes.sqrt();
  }
  return columns;
}

// Means of the cells, times the root of their size; what varies within them, no column reaches.
Eigen::VectorXd cell_response(const AnalysisTable& table, const RunCells& cells, TermModel& model) {
  std::vector<double> sums(cells.first.size(), 0.0);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double off = table.y[i] - model.mean;
    sums[cells.of[i]] += off;
    model.total_ss += off * off;
  }
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::size_t cell = cells.of[i];
    const double within = table.y[i] - model.mean - sums[cell] / static_cast<double>(cells.size[cell]);
    model.unreached_ss += within * within;
  }
  Eigen::VectorXd response(static_cast<Eigen::Index>(sums.size()));
  for (std::size_t c = 0; c < sums.size(); ++c) {
    response(static_cast<Eigen::Index>(c)) = sums[c] / std::sqrt(static_cast<double>(cells.size[c]));
  }
  return response;
}

// Fitted values of the cells, times the root of their size.
Eigen::VectorXd fit_all(TermModel& model, Eigen::MatrixXd columns, const Eigen::VectorXd& response) {
  const Eigen::Index width = columns.cols();
  if (columns.rows() <= width) {
    model.columns = std::move(columns);
    model.response = response;
    Projection all = project(model.columns, model.response);
    model.rank = all.rank;
    return all.fitted;
  }
  const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> turn(columns);  // in place
  Eigen::VectorXd turned = turn.householderQ().adjoint() * response;
  model.unreached_ss += turned.tail(turned.size() - width).squaredNorm();
  model.columns = columns.topRows(width).triangularView<Eigen::Upper>();
  model.response = turned.head(width);
  const Projection all = project(model.columns, model.response);
  model.rank = all.rank;
  turned << all.fitted, Eigen::VectorXd::Zero(turned.size() - width);
  return turn.householderQ() * turned;
}

}  // namespace

Eigen::Index rank_of(const PivotedQr& qr) {
  const Eigen::Index most = std::min(qr.rows(), qr.cols());
  Eigen::Index rank = 0;
  while (rank < most && std::abs(qr.matrixQR()(rank, rank)) >= kRankTolerance) ++rank;
  return rank;
}

double model_work(const AnalysisTable& table, int order) {
  const auto width = static_cast<double>(model_width(table, order));
  return static_cast<double>(run_cells(table).first.size()) * width * width;
}

TermModel term_model(const AnalysisTable& table, int order) {
  if (model_work(table, order) > kMostWork) {
    throw InputError({},
                     std::to_string(model_width(table, order)) + " parameters for " +
                         std::to_string(table.rows()) + " runs would take minutes",
                     "leave out the factor with the most levels, or lower `order`");
  }
  TermModel model{.terms = terms_up_to(table.factors.size(), order), .mean = stats::mean(table.y)};
  model.runs = table.rows();
  const RunCells cells = run_cells(table);
  const Eigen::VectorXd response = cell_response(table, cells, model);
  const Eigen::VectorXd fitted = fit_all(model, cell_columns(table, cells, model), response);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::size_t cell = cells.of[i];
    model.fitted.push_back(fitted(static_cast<Eigen::Index>(cell)) /
                           std::sqrt(static_cast<double>(cells.size[cell])));
  }
  return model;
}

Eigen::MatrixXd columns_of(const TermModel& model, const std::vector<std::size_t>& terms) {
  Eigen::Index width = 0;
  for (const std::size_t t : terms) width += model.width[t];
  Eigen::MatrixXd out(model.columns.rows(), width);
  Eigen::Index next = 0;
  for (const std::size_t t : terms) {
    out.middleCols(next, model.width[t]) = model.columns.middleCols(model.first[t], model.width[t]);
    next += model.width[t];
  }
  return out;
}

Projection project(const Eigen::MatrixXd& columns, const Eigen::VectorXd& response) {
  Projection out{.fitted = Eigen::VectorXd::Zero(response.size())};
  if (columns.size() == 0) return out;
  const PivotedQr qr(columns);
  out.rank = rank_of(qr);
  Eigen::VectorXd turned = qr.householderQ().adjoint() * response;
  turned.tail(turned.size() - out.rank).setZero();
  out.fitted = qr.householderQ() * turned;
  return out;
}

Projection project_beyond(const Eigen::MatrixXd& given, const Eigen::MatrixXd& more,
                          const Eigen::VectorXd& response) {
  if (given.size() == 0) return project(more, response);
  const PivotedQr qr(given);
  const Eigen::Index rest = response.size() - rank_of(qr);  // rows that the given columns do not reach
  const Eigen::MatrixXd columns = qr.householderQ().adjoint() * more;
  const Eigen::VectorXd turned = qr.householderQ().adjoint() * response;
  const Projection beyond = project(columns.bottomRows(rest), turned.tail(rest));
  Eigen::VectorXd fitted = Eigen::VectorXd::Zero(response.size());
  fitted.tail(rest) = beyond.fitted;
  return {.fitted = qr.householderQ() * fitted, .rank = beyond.rank};
}

}  // namespace sextant::analysis
