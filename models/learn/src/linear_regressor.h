// What ordinary least squares, stepwise selection, ridge, NNLS and Ernest have in common: an intercept
// and a coefficient for every term, written in the units of the data.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "terms.h"

namespace sextant::learn {

struct LinearRegressor final : public Regressor {
  std::vector<SampleColumn> columns;
  double intercept = 0;
  std::vector<Term> terms;
  std::vector<double> coefficients;  // one per term
  std::vector<std::string> left_out;

  [[nodiscard]] double predict(std::span<const double> x) const override;
  [[nodiscard]] Json to_json() const override;
  [[nodiscard]] std::vector<std::string> dropped() const override { return left_out; }
};

std::unique_ptr<Regressor> load_linear(const Json& json, const std::vector<SampleColumn>& columns);

// 1/y^2, scaled to a mean of 1, when the parameter `relative` is set; empty, for no weights, otherwise.
std::vector<double> relative_weights(const std::vector<double>& y, const Parameters& parameters);

// Mean and standard deviation of each column; 1 stands for the deviation of a constant one.
struct Scaling {
  std::vector<double> mean;
  std::vector<double> sd;
};
Scaling scaling_of(const stats::Matrix& x);
stats::Matrix standardised(const stats::Matrix& x, const Scaling& scaling);

}  // namespace sextant::learn
