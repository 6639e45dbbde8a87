// Least squares of a model's terms as a fit that answers questions about levels: adjusted means, differences
// between them, slopes of covariates. A question is a row of weights over the columns; the runs answer it
// where columns that others give agree with it (estimable functions; Searle, Linear Models, 1971).
#pragma once

#include <Eigen/QR>

#include "term_model.h"

namespace sextant::analysis {

struct LevelFit {
  const TermModel* model;
  int order = 1;     // of its interactions
  double df = 0;     // of the residual
  double sigma = 0;  // of the residual; infinite without degrees of freedom, 0 where every run is met
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  Eigen::Index rank = 0;
  Eigen::VectorXd turned;  // Q' response
};
// With the terms up to `order`, at most that of the model, which must outlive the fit.
LevelFit fit_levels(const TermModel& model, int order);

struct Estimate {
  double value = 0;
  double error = 0;  // standard error
  bool estimable = true;
};
// With these weights of the factor's own columns: all levels of the other factors equally frequent and
// covariates at their means, where contrasts, centred numbers and their products are 0.
Estimate mean_at(const LevelFit& fit, std::size_t factor, const Eigen::VectorXd& weights);
// Of two means, by the difference of their weights; of a covariate: what one unit of its column does.
Estimate difference_at(const LevelFit& fit, std::size_t factor, const Eigen::VectorXd& weights);

}  // namespace sextant::analysis
