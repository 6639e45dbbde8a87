// A Design, checked and turned into Eigen's form: rows multiplied by the root of their weight,
// columns and y optionally centred on their weighted means.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "sextant/stats/linear_model.h"

namespace sextant::stats {

struct PreparedDesign {
  Eigen::MatrixXd x;
  Eigen::VectorXd y;
  Eigen::VectorXd root_weight;
  std::vector<double> x_mean;  // 0 without intercept
  std::vector<double> x_norm;  // of the weighted column before centring
  double y_mean = 0;
  double weight_sum = 0;
};

void check_design(const Design& design, const std::string& subject);
PreparedDesign prepare(const Design& design, Intercept intercept);
std::string column_name(const Design& design, std::size_t column);

void check_query(std::span<const double> x0, std::size_t columns);
double linear_value(double offset, std::span<const double> coefficients, std::span<const double> x0);

std::vector<double> to_vector(const Eigen::VectorXd& v);
// In the units of y again: the weights' roots are divided out.
std::vector<double> unweighted(const Eigen::VectorXd& weighted, const PreparedDesign& design);

}  // namespace sextant::stats
