#include "layer_line.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "sextant/stats/linear_model.h"

namespace sextant::predict {
namespace {

// Inverse of X'X over the coefficients that are not held at 0, times s2.
void set_covariance(LayerLine& line, std::span<const double> counts) {
  const auto n = static_cast<double>(counts.size());
  const double square_sum = std::inner_product(counts.begin(), counts.end(), counts.begin(), 0.0);
  if (line.beta0 == 0) {
    line.var1 = line.beta1 == 0 ? 0 : line.s2 / square_sum;
    return;
  }
  if (line.beta1 == 0) {
    line.var0 = line.s2 / n;
    return;
  }
  const double mean = std::accumulate(counts.begin(), counts.end(), 0.0) / n;
  double spread = 0;  // not square_sum - n mean^2, which loses its digits
  for (const double c : counts) spread += (c - mean) * (c - mean);
  line.var1 = line.s2 / spread;
  line.var0 = line.s2 * (1 / n + mean * mean / spread);
  line.cov = -line.s2 * mean / spread;
}

}  // namespace

double LayerLine::variance_at(double count) const {
  return std::max(0.0, s2 + var0 + 2 * count * cov + count * count * var1);
}

LayerLine fit_layer_line(std::span<const double> counts, std::span<const double> times) {
  LayerLine line;
  line.samples = counts.size();
  line.largest = *std::ranges::max_element(counts);
  // Counts reach 1e12 beside a column of ones: in units of the largest both columns are of one size.
  stats::Matrix x(counts.size(), 1);
  for (std::size_t i = 0; i < counts.size(); ++i) x(i, 0) = counts[i] / line.largest;
  const stats::NnlsFit fit = stats::fit_nnls({.x = with_ones(x), .y = {times.begin(), times.end()}});
  line.beta0 = fit.coefficients[0];
  line.beta1 = fit.coefficients[1] / line.largest;
  const int estimated = (line.beta0 > 0 ? 1 : 0) + (line.beta1 > 0 ? 1 : 0);
  line.s2 = fit.rss / (static_cast<double>(counts.size()) - estimated);
  // Equal counts show one time: what is fixed and what grows cannot be told apart.
  const bool one_count = std::ranges::equal(counts.subspan(1), counts.first(counts.size() - 1));
  if (one_count) {
    line.var0 = line.s2 / static_cast<double>(counts.size());
  } else {
    set_covariance(line, counts);
  }
  return line;
}

}  // namespace sextant::predict
