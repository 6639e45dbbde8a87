#include "design.h"

#include <cmath>

#include "checks.h"
#include "index.h"
#include "sextant/core/error.h"
#include "sextant/stats/summary.h"
#include "sum.h"

namespace sextant::stats {
namespace {

void check_cell(double value, const std::string& place, std::size_t row) {
  if (const std::string fault = fault_of(value); !fault.empty()) {
    throw InputError({}, place + ", row " + std::to_string(row + 1) + ": value " + fault,
                     "remove such rows first; magnitudes up to 1e150 are allowed");
  }
}

void check_weight(double weight, const std::string& subject, std::size_t row) {
  check_cell(weight, subject + ": weight", row);
  if (weight >= kSmallest) return;
  throw InputError({},
                   subject + ": weight of row " + std::to_string(row + 1) +
                       (weight <= 0 ? " is not positive" : " is below 1e-150"),
                   "leave out rows that should not count");
}

void check_lengths(const Design& design, const std::string& subject) {
  const std::size_t n = design.y.size();
  if (n == 0) throw InputError({}, subject + " needs at least one row", "the table is empty");
  check_same_length(design.x.rows(), n, subject + ": rows of x and y");
  if (!design.weights.empty()) check_same_length(n, design.weights.size(), subject + ": rows and weights");
  if (!design.names.empty()) {
    check_same_length(design.x.columns(), design.names.size(), subject + ": columns and names");
  }
}

// The mean of a column, weighted; exact for a constant one.
double centre_of(const std::vector<double>& values, const Design& design) {
  return design.weights.empty() ? mean(values) : weighted_mean(values, design.weights);
}

}  // namespace

std::string column_name(const Design& design, std::size_t column) {
  return design.names.empty() ? "x" + std::to_string(column + 1) : design.names[column];
}

void check_design(const Design& design, const std::string& subject) {
  check_lengths(design, subject);
  for (std::size_t i = 0; i < design.y.size(); ++i) {
    check_cell(design.y[i], subject + ": y", i);
    for (std::size_t j = 0; j < design.x.columns(); ++j) {
      if (fault_of(design.x(i, j)).empty()) continue;
      check_cell(design.x(i, j), subject + ": column '" + column_name(design, j) + "'", i);
    }
    if (!design.weights.empty()) check_weight(design.weights[i], subject, i);
  }
}

PreparedDesign prepare(const Design& design, Intercept intercept) {
  const std::size_t n = design.y.size();
  const std::size_t columns = design.x.columns();
  PreparedDesign out{.x = Eigen::MatrixXd(index(n), index(columns)),
                     .y = Eigen::Map<const Eigen::VectorXd>(design.y.data(), index(n)),
                     .root_weight = Eigen::VectorXd::Ones(index(n)),
                     .x_mean = std::vector<double>(columns, 0.0),
                     .x_norm = std::vector<double>(columns, 0.0),
                     .weight_sum = static_cast<double>(n)};
  if (!design.weights.empty()) {
    out.root_weight = Eigen::Map<const Eigen::VectorXd>(design.weights.data(), index(n)).cwiseSqrt();
    out.weight_sum = sum(design.weights);
  }
  const auto& root = out.root_weight.array();
  if (intercept == Intercept::fitted) {
    out.y_mean = centre_of(design.y, design);
    out.y.array() -= out.y_mean;
  }
  out.y.array() *= root;
  for (std::size_t j = 0; j < columns; ++j) {
    const std::vector<double> values = design.x.column(j);
    auto column = out.x.col(index(j));
    column = Eigen::Map<const Eigen::VectorXd>(values.data(), index(n));
    out.x_norm[j] = (column.array() * root).matrix().stableNorm();
    if (out.x_norm[j] < kSmallest) {
      out.x_norm[j] = 0;
      column.setZero();
      continue;
    }
    if (intercept == Intercept::fitted) out.x_mean[j] = centre_of(values, design);
    column = ((column.array() - out.x_mean[j]) * root).matrix();
  }
  return out;
}

void check_query(std::span<const double> x0, std::size_t columns) {
  if (x0.size() != columns) {
    throw InputError({},
                     "prediction: the point has " + std::to_string(x0.size()) + " values, the model " +
                         std::to_string(columns) + " columns",
                     "give a value for every column, dropped ones included");
  }
  if (columns > 0) check_values(x0, "prediction");
}

double linear_value(double offset, std::span<const double> coefficients, std::span<const double> x0) {
  CompensatedSum total;
  total.add(offset);
  for (std::size_t j = 0; j < x0.size(); ++j) total.add(coefficients[j] * x0[j]);
  return total.value();
}

std::vector<double> to_vector(const Eigen::VectorXd& v) {
  return {v.data(), v.data() + v.size()};
}

std::vector<double> unweighted(const Eigen::VectorXd& weighted, const PreparedDesign& design) {
  return to_vector((weighted.array() / design.root_weight.array()).matrix());
}

}  // namespace sextant::stats
