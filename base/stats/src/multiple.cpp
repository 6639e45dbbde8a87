#include "sextant/stats/multiple.h"

#include <algorithm>
#include <numeric>

#include "checks.h"

namespace sextant::stats {

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  for (const double p : p_values) stats::check_probability(p, "a p value");
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    largest = std::max(largest, static_cast<double>(order.size() - k) * p_values[order[k]]);
    adjusted[order[k]] = std::min(1.0, largest);
  }
  return adjusted;
}

}  // namespace sextant::stats
