#include "parzen.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "acquisition.h"
#include "space_axis.h"

namespace sextant::explore {
namespace {

bool by_weights(const SearchFactor& factor) {
  return factor.kind == FactorKind::categorical;
}

AxisKernel gaussian(double centre, double width) {
  AxisKernel kernel{.centre = centre, .width = width, .mass = 1, .weights = {}};
  kernel.mass = normal_below((1 - centre) / width) - normal_below((0 - centre) / width);
  return kernel;
}

AxisKernel prior_kernel(const SearchFactor& factor) {
  if (!by_weights(factor)) return gaussian(0.5, 1);
  AxisKernel kernel;
  kernel.weights.assign(factor.levels.size(), 1 / static_cast<double>(factor.levels.size()));
  return kernel;
}

// Squared distances of the levels from one of them by features, each in units of its range; none where there
// are no features that differ.
std::vector<double> squared_distances(const SearchFactor& factor, std::size_t from) {
  const stats::Matrix& values = factor.features.values;
  std::vector<double> sums(factor.levels.size(), 0);
  for (std::size_t column = 0; column < values.columns(); ++column) {
    const std::vector<double> all = values.column(column);
    const auto [low, high] = std::ranges::minmax(all);
    const double range = high / 2 - low / 2;
    if (!(range > 0)) continue;
    for (std::size_t level = 0; level < sums.size(); ++level) {
      const double apart = (all[level] / 2 - all[from] / 2) / range;
      sums[level] += apart * apart;
    }
  }
  return std::ranges::max(sums) > 0 ? sums : std::vector<double>{};
}

// Optuna's weights: the level itself and a share of the prior; where levels have features, a Gaussian of
// their distance that falls to about the prior's share at the farthest level.
AxisKernel level_kernel(const SearchFactor& factor, double value, double prior_share) {
  const auto level = static_cast<std::size_t>(value);
  const auto count = static_cast<double>(factor.levels.size());
  AxisKernel kernel;
  kernel.weights.assign(factor.levels.size(), prior_share / count);
  kernel.weights[level] += 1;
  if (const std::vector<double> apart = squared_distances(factor, level); !apart.empty()) {
    const double farthest = std::ranges::max(apart);
    const double fall = std::log(1 / prior_share) * std::log(count) / std::log(6.0);
    for (std::size_t i = 0; i < apart.size(); ++i) {
      kernel.weights[i] = std::exp(-std::max(fall, 0.0) * apart[i] / farthest) + prior_share / count;
    }
  }
  double sum = 0;
  for (const double weight : kernel.weights) sum += weight;
  for (double& weight : kernel.weights) weight /= sum;
  return kernel;
}

// Of one factor alone, Bergstra's rule: as wide as the farther of the two neighbours, the middle of the axis
// and its ends among them.
std::vector<double> neighbour_widths(const std::vector<double>& centres) {
  std::vector<double> sorted = centres;
  sorted.insert(sorted.end(), {0, 0.5, 1});
  std::ranges::sort(sorted);
  std::vector<double> widths;
  for (const double centre : centres) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), centre);
    const double left = first == sorted.begin() ? 0 : centre - *std::prev(first);
    const double right = last == sorted.end() ? 0 : *last - centre;
    widths.push_back(std::max(left, right));
  }
  return widths;
}

struct AxisInput {
  const SearchFactor& factor;
  std::vector<double> values;  // NaN: absent
  std::size_t together = 1;    // factors of the mixture
  double prior_weight = 1;
};

std::vector<AxisKernel> axis_kernels(const AxisInput& input) {
  const auto count = static_cast<double>(input.values.size());
  std::vector<AxisKernel> kernels;
  std::vector<double> centres;
  for (const double value : input.values) {
    kernels.push_back(prior_kernel(input.factor));
    if (std::isnan(value)) continue;
    if (by_weights(input.factor)) {
      kernels.back() = level_kernel(input.factor, value, input.prior_weight / (count + 1));
    } else {
      centres.push_back(to_unit(input.factor, value));
    }
  }
  if (centres.empty()) return kernels;
  std::vector<double> widths = neighbour_widths(centres);
  if (input.together > 1) {  // Scott's rule, as in Optuna's joint kernels
    const double width = 0.2 * std::pow(count, -1 / (static_cast<double>(input.together) + 4));
    widths.assign(centres.size(), width);
  }
  // Not narrower than half a step of the axis, nor than a hundredth of it.
  const double least = std::max(1 / std::min(100.0, 1 + count), 0.5 / value_count(input.factor));
  std::size_t next = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (std::isnan(input.values[i])) continue;
    kernels[i] = gaussian(centres[next], std::clamp(widths[next], least, std::max(least, 1.0)));
    ++next;
  }
  return kernels;
}

double draw_from(const AxisKernel& kernel, Rng& rng) {
  if (!kernel.weights.empty()) {
    double left = rng.uniform();
    std::size_t level = 0;
    while (level + 1 < kernel.weights.size() && left >= kernel.weights[level])
      left -= kernel.weights[level++];
    return (static_cast<double>(level) + 0.5) / static_cast<double>(kernel.weights.size());
  }
  // The centre is within the interval: a third of the draws at least are too.
  for (int tries = 0; tries < 100; ++tries) {
    const double u = kernel.centre + kernel.width * rng.normal();
    if (u >= 0 && u < 1) return u;
  }
  return kernel.centre;
}

double log_of(const AxisKernel& kernel, double value, double unit) {
  if (!kernel.weights.empty()) return std::log(kernel.weights[static_cast<std::size_t>(value)]);
  const double z = (unit - kernel.centre) / kernel.width;
  return -z * z / 2 - std::log(kernel.width * kernel.mass * std::sqrt(2 * std::numbers::pi));
}

}  // namespace

ParzenMixture::ParzenMixture(const Input& input) : factors_(input.factors) {
  components_.resize(input.around.size() + 1);
  const double total = static_cast<double>(input.around.size()) + input.prior_weight;
  for (Component& component : components_) component.weight = 1 / total;
  components_.front().weight = input.prior_weight / total;
  for (const std::size_t f : factors_) {
    const SearchFactor& factor = input.space.factors()[f];
    components_.front().kernels.push_back(prior_kernel(factor));
    AxisInput axis{factor, {}, factors_.size(), input.prior_weight};
    for (const Configuration& each : input.around) axis.values.push_back(each.values[f]);
    std::vector<AxisKernel> kernels = axis_kernels(axis);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      components_[i + 1].kernels.push_back(std::move(kernels[i]));
    }
  }
}

double ParzenMixture::log_kernel(const Component& component, const Configuration& configuration,
                                 std::span<const double> unit) const {
  double sum = std::log(component.weight);
  for (std::size_t a = 0; a < factors_.size(); ++a) {
    const double value = configuration.values[factors_[a]];
    if (!std::isnan(value)) sum += log_of(component.kernels[a], value, unit[factors_[a]]);
  }
  return sum;
}

double ParzenMixture::log_density(const Configuration& configuration, std::span<const double> unit) const {
  std::vector<double> logs;
  for (const Component& component : components_) {
    if (component.weight > 0) logs.push_back(log_kernel(component, configuration, unit));
  }
  const double largest = std::ranges::max(logs);
  double sum = 0;
  for (const double each : logs) sum += std::exp(each - largest);
  return largest + std::log(sum);
}

void ParzenMixture::draw(Rng& rng, std::span<double> unit) const {
  double left = rng.uniform();
  std::size_t chosen = 0;
  while (chosen + 1 < components_.size() && left >= components_[chosen].weight) {
    left -= components_[chosen++].weight;
  }
  for (std::size_t a = 0; a < factors_.size(); ++a) {
    unit[factors_[a]] = draw_from(components_[chosen].kernels[a], rng);
  }
}

}  // namespace sextant::explore
