#include "sextant/learn/domain.h"

#include <algorithm>

namespace sextant::learn {

bool Domain::contains(std::span<const double> x) const {
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (x[j] < low[j] || x[j] > high[j]) return false;
  }
  return !hat || !predict(*hat, x).extrapolates;
}

Domain domain_of(const stats::Matrix& x) {
  Domain out;
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const auto column = x.column(j);
    const auto [low, high] = std::ranges::minmax(column);
    out.low.push_back(low);
    out.high.push_back(high);
  }
  if (x.rows() <= x.columns() + 1) return out;
  // Leverage depends on x alone; a response of zeros lets the regression's own code compute it.
  const stats::OlsFit fit = stats::fit_ols({.x = x, .y = std::vector<double>(x.rows(), 0.0)});
  stats::OlsFit hat;
  hat.coefficients.assign(x.columns(), 0.0);
  hat.dropped = fit.dropped;
  hat.basis = fit.basis;
  out.hat = std::move(hat);
  return out;
}

}  // namespace sextant::learn
