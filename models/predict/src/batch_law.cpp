#include "batch_law.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sextant::predict {

double lawful_log_total(std::span<const BatchKnot> knots, double log_modelled) {
  std::vector<BatchKnot> rising(knots.begin(), knots.end());
  for (std::size_t i = 1; i < rising.size(); ++i) {
    rising[i].log_modelled = std::max(rising[i].log_modelled, rising[i - 1].log_modelled);
    rising[i].log_total = std::max(rising[i].log_total, rising[i - 1].log_total);
  }
  const auto above = std::ranges::upper_bound(rising, log_modelled, {}, &BatchKnot::log_modelled);
  if (above == rising.begin()) return log_modelled + above->log_total - above->log_modelled;
  const BatchKnot& before = *std::prev(above);
  if (above == rising.end()) return log_modelled + before.log_total - before.log_modelled;
  const double way = (log_modelled - before.log_modelled) / (above->log_modelled - before.log_modelled);
  return before.log_total + way * (above->log_total - before.log_total);
}

double steady_log_effect(std::span<const BatchKnot> knots, double samples) {
  const auto effect = [](const BatchKnot& knot) { return knot.log_total - knot.log_modelled; };
  const auto above = std::ranges::upper_bound(knots, samples, {}, &BatchKnot::samples);
  if (above == knots.begin()) return effect(*above);
  const BatchKnot& before = *std::prev(above);
  if (above == knots.end()) return effect(before);
  const double way = std::log(samples / before.samples) / std::log(above->samples / before.samples);
  return effect(before) + way * (effect(*above) - effect(before));
}

}  // namespace sextant::predict
