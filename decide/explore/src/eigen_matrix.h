// A matrix of statistics in Eigen's form.
#pragma once

#include <Eigen/Core>

#include "sextant/stats/matrix.h"

namespace sextant::explore {

inline Eigen::MatrixXd to_eigen(const stats::Matrix& matrix) {
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> view(
      matrix.data(), static_cast<Eigen::Index>(matrix.rows()), static_cast<Eigen::Index>(matrix.columns()));
  return view;
}

}  // namespace sextant::explore
