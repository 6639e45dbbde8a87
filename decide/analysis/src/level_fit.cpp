#include "level_fit.h"

#include <cmath>
#include <limits>

namespace sextant::analysis {
namespace {

constexpr double kAgrees = 1e-8;  // of a question's own size

Eigen::Index width_up_to(const TermModel& model, int order) {
  Eigen::Index width = 0;
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    if (static_cast<int>(model.terms[t].size()) <= order) width += model.width[t];
  }
  return width;
}

// Value and error of a question over the centred columns; `runs`: the mean of so many adds its own error.
Estimate answer(const LevelFit& fit, const Eigen::VectorXd& question, double runs) {
  const Eigen::VectorXd placed = fit.qr.colsPermutation().transpose() * question;
  const auto root = fit.qr.matrixQR().topLeftCorner(fit.rank, fit.rank).triangularView<Eigen::Upper>();
  const Eigen::VectorXd along = root.transpose().solve(placed.head(fit.rank));
  const Eigen::Index given = placed.size() - fit.rank;
  const Eigen::VectorXd implied = fit.qr.matrixQR().topRightCorner(fit.rank, given).transpose() * along;
  const double off = (implied - placed.tail(given)).norm();
  return {.value = along.dot(fit.turned.head(fit.rank)),
          .error = fit.sigma * std::sqrt(along.squaredNorm() + (runs > 0 ? 1 / runs : 0)),
          .estimable = off <= kAgrees * (placed.norm() + implied.norm())};
}

Eigen::VectorXd own_columns(const LevelFit& fit, std::size_t factor, const Eigen::VectorXd& weights) {
  Eigen::VectorXd question = Eigen::VectorXd::Zero(fit.qr.cols());
  question.segment(fit.model->first[factor], weights.size()) = weights;
  return question;
}

}  // namespace

LevelFit fit_levels(const TermModel& model, int order) {
  const Eigen::Index width = width_up_to(model, order);
  LevelFit fit{.model = &model, .order = order, .qr = {}, .turned = {}};
  fit.qr.compute(model.columns.leftCols(width));  // terms stand in the order of their size
  fit.rank = rank_of(fit.qr);
  fit.turned = fit.qr.householderQ().adjoint() * model.response;
  fit.df = static_cast<double>(model.runs) - 1 - static_cast<double>(fit.rank);
  const double rss = model.unreached_ss + fit.turned.tail(fit.turned.size() - fit.rank).squaredNorm();
  const bool exact = rss < kRounding * model.total_ss;
  fit.sigma = fit.df > 0 ? std::sqrt(exact ? 0 : rss / fit.df) : std::numeric_limits<double>::infinity();
  return fit;
}

Estimate mean_at(const LevelFit& fit, std::size_t factor, const Eigen::VectorXd& weights) {
  const TermModel& model = *fit.model;
  const Eigen::Index width = fit.qr.cols();
  const Eigen::VectorXd question = own_columns(fit, factor, weights) - model.centre.head(width);
  Estimate out = answer(fit, question.cwiseQuotient(model.norm.head(width)), static_cast<double>(model.runs));
  out.value += model.mean;
  return out;
}

Estimate difference_at(const LevelFit& fit, std::size_t factor, const Eigen::VectorXd& weights) {
  const Eigen::VectorXd question = own_columns(fit, factor, weights);
  return answer(fit, question.cwiseQuotient(fit.model->norm.head(fit.qr.cols())), 0);
}

}  // namespace sextant::analysis
