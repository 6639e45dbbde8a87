// Unweighted cell means: each point of the design counts once, however often it was repeated, so that effects
// of a full design stay orthogonal; the number of replications enters the variance of its mean.
#include "sextant/measure/factorial.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/summary.h"

namespace sextant::measure {
namespace {

constexpr std::size_t kMostFactors = 12;

// Log responses by point; the bits of a point's index are its levels.
struct Cells {
  std::vector<double> means;
  double mean_variance = 0;  // sum of 1 / replications
  double error_squares = 0;  // within points
  double error_df = 0;
  [[nodiscard]] double sigma2() const { return error_squares / error_df; }
  // Replications of a balanced design whose effects would be as well known.
  [[nodiscard]] double replications() const { return static_cast<double>(means.size()) / mean_variance; }
};

std::size_t index_of(const DesignPoint& point, std::size_t factors) {
  if (point.levels.size() != factors) {
    throw InputError("a point of the design has " + std::to_string(point.levels.size()) + " levels for " +
                     std::to_string(factors) + " factors");
  }
  std::size_t index = 0;
  for (std::size_t f = 0; f < factors; ++f) {
    if (point.levels[f] != 0 && point.levels[f] != 1) throw InputError("a level is 0 or 1");
    index |= static_cast<std::size_t>(point.levels[f]) << f;
  }
  return index;
}

std::vector<double> logs(const DesignPoint& point) {
  if (point.responses.empty()) throw InputError("a point of the design was not measured");
  std::vector<double> values;
  for (const double response : point.responses) {
    if (!std::isfinite(response) || response <= 0) throw InputError("a response is not above 0");
    values.push_back(std::log(response));
  }
  return values;
}

Cells cells_of(std::size_t factors, std::span<const DesignPoint> points) {
  Cells cells;
  cells.means.assign(std::size_t{1} << factors, kNan);
  for (const DesignPoint& point : points) {
    const std::size_t index = index_of(point, factors);
    if (!std::isnan(cells.means[index])) throw InputError("two points of the design have the same levels");
    const std::vector<double> values = logs(point);
    cells.means[index] = stats::mean(values);
    cells.mean_variance += 1 / static_cast<double>(values.size());
    if (values.size() < 2) continue;
    const auto df = static_cast<double>(values.size() - 1);
    cells.error_squares += df * stats::variance(values);
    cells.error_df += df;
  }
  if (std::ranges::any_of(cells.means, [](double m) { return std::isnan(m); })) {
    throw InputError("the design is not full: " + std::to_string(points.size()) + " of " +
                     std::to_string(cells.means.size()) + " points were measured");
  }
  if (cells.error_df == 0) {
    throw InputError({}, "no point of the design was measured twice, so nothing says what chance does",
                     "measure in at least two rounds");
  }
  return cells;
}

double total_squares(const Cells& cells) {
  const double centre = stats::mean(cells.means);
  double between = 0;
  for (const double value : cells.means) between += (value - centre) * (value - centre);
  return cells.replications() * between + cells.error_squares;
}

// Mean log response where an odd or, for two factors, an even number of them is high, less that of the rest.
double contrast(const Cells& cells, std::size_t mask, bool pair) {
  double sum = 0;
  for (std::size_t i = 0; i < cells.means.size(); ++i) {
    const bool odd = __builtin_popcountll(i & mask) % 2 == 1;
    sum += odd != pair ? cells.means[i] : -cells.means[i];
  }
  return 2 * sum / static_cast<double>(cells.means.size());
}

FactorEffect effect_of(const Cells& cells, std::size_t mask, bool pair) {
  const auto points = static_cast<double>(cells.means.size());
  const double log_ratio = contrast(cells, mask, pair);
  const double error = 2 / points * std::sqrt(cells.sigma2() * cells.mean_variance);
  const stats::StudentT t{cells.error_df};
  const double half = two_sided_quantile(t, 0.95) * error;
  const double total = total_squares(cells);
  FactorEffect effect;
  effect.ratio = std::exp(log_ratio);
  effect.ratio_interval = {std::exp(log_ratio - half), std::exp(log_ratio + half)};
  if (error > 0) {
    effect.p_value = two_sided_p(t, log_ratio / error);
  } else {
    effect.p_value = log_ratio == 0 ? 1 : 0;
  }
  const double squares = cells.replications() * points * log_ratio * log_ratio / 4;
  effect.share = total > 0 ? squares / total : 0;
  return effect;
}

}  // namespace

std::vector<FactorEffect> factor_effects(std::span<const TwoLevelFactor> factors,
                                         std::span<const DesignPoint> points) {
  if (factors.empty()) throw InputError("a design needs a factor with two levels");
  if (factors.size() > kMostFactors) {
    throw InputError("a full design of " + std::to_string(factors.size()) + " factors has too many points");
  }
  const Cells cells = cells_of(factors.size(), points);
  std::vector<FactorEffect> effects;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    effects.push_back(effect_of(cells, std::size_t{1} << f, false));
    effects.back().factor = factors[f].name;
    effects.back().low = factors[f].low;
    effects.back().high = factors[f].high;
  }
  for (std::size_t a = 0; a < factors.size(); ++a) {
    for (std::size_t b = a + 1; b < factors.size(); ++b) {
      effects.push_back(effect_of(cells, std::size_t{1} << a | std::size_t{1} << b, true));
      effects.back().factor = factors[a].name + " x " + factors[b].name;
      effects.back().low = "one high";
      effects.back().high = "both alike";
    }
  }
  return effects;
}

}  // namespace sextant::measure
