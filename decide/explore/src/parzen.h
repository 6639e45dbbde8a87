// Density of configurations around given ones: a kernel around each, and the prior, in the unit cube of the
// space (Bergstra et al., NeurIPS 2011; kernels and widths as in Optuna, Akiba et al. 2019). Numbers have
// Gaussian kernels cut at the ends; levels have weights, larger for levels with alike features.
#pragma once

#include <span>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/explore/space.h"

namespace sextant::explore {

// One factor's part of a kernel.
struct AxisKernel {
  double centre = 0.5;          // numbers, levels in order: in the unit interval
  double width = 1;             // standard deviation
  double mass = 1;              // of the Gaussian within the interval
  std::vector<double> weights;  // levels in any order: of each, sum 1; empty: numbers
};

// Over some of the factors at once; a kernel of a configuration that lacks a factor is the prior there.
class ParzenMixture {
 public:
  struct Input {
    const SearchSpace& space;
    std::vector<std::size_t> factors;
    std::span<const Configuration> around;
    double prior_weight = 1;  // of the prior, in kernels
  };
  explicit ParzenMixture(const Input& input);

  // Of the factors that the configuration has; `unit` is its place in the cube.
  [[nodiscard]] double log_density(const Configuration& configuration, std::span<const double> unit) const;
  // Sets the coordinates of its factors.
  void draw(Rng& rng, std::span<double> unit) const;

 private:
  struct Component {
    double weight = 1;
    std::vector<AxisKernel> kernels;  // by place in factors_
  };
  [[nodiscard]] double log_kernel(const Component& component, const Configuration& configuration,
                                  std::span<const double> unit) const;

  std::vector<std::size_t> factors_;
  std::vector<Component> components_;  // the prior first
};

}  // namespace sextant::explore
