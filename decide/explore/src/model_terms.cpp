#include "model_terms.h"

#include <cmath>

#include "space_axis.h"

namespace sextant::explore {
namespace {

double coded(const SearchFactor& factor, double value) {
  double low = 0;
  double high = 0;
  double x = value;
  if (factor.kind == FactorKind::real) {
    low = factor.low;
    high = factor.high;
  } else {
    low = value_at(factor, 0);
    high = value_at(factor, value_count(factor) - 1);
  }
  if (factor.log && !has_levels(factor)) {
    low = std::log(low);
    high = std::log(high);
    x = std::log(x);
  }
  return high > low ? 2 * (x - low) / (high - low) - 1 : 0;
}

// Codes of one factor: a number, or one less than its levels, the last level being -1 in each.
std::vector<double> codes_of(const SearchFactor& factor, double value) {
  const bool absent = std::isnan(value);
  if (factor.kind != FactorKind::categorical) return {absent ? 0 : coded(factor, value)};
  std::vector<double> codes(factor.levels.size() - 1, 0.0);
  if (absent) return codes;
  const auto level = static_cast<std::size_t>(value);
  if (level == codes.size()) {
    for (double& code : codes) code = -1;
  } else {
    codes[level] = 1;
  }
  return codes;
}

std::vector<double> terms_of(const SearchSpace& space, const Configuration& configuration,
                             ResponseModel model) {
  std::vector<std::vector<double>> codes;
  std::vector<double> terms = {1};
  for (std::size_t i = 0; i < space.factors().size(); ++i) {
    const SearchFactor& factor = space.factors()[i];
    if (value_count(factor) < 2) continue;
    codes.push_back(codes_of(factor, configuration.values[i]));
    terms.insert(terms.end(), codes.back().begin(), codes.back().end());
    const bool curved = factor.kind != FactorKind::categorical && value_count(factor) > 2;
    if (model == ResponseModel::quadratic && curved) terms.push_back(codes.back()[0] * codes.back()[0]);
  }
  if (model == ResponseModel::linear) return terms;
  for (std::size_t a = 0; a < codes.size(); ++a) {
    for (std::size_t b = a + 1; b < codes.size(); ++b) {
      for (const double x : codes[a]) {
        for (const double y : codes[b]) terms.push_back(x * y);
      }
    }
  }
  return terms;
}

}  // namespace

stats::Matrix model_terms(const SearchSpace& space, const std::vector<Configuration>& configurations,
                          ResponseModel model) {
  std::vector<std::vector<double>> rows;
  for (const Configuration& each : configurations) rows.push_back(terms_of(space, each, model));
  return stats::Matrix::from_rows(rows);
}

}  // namespace sextant::explore
