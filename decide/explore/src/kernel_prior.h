// What kernels are plausible before any run: drawn settings, which the marginal likelihood of the runs then
// weighs. Averaging over them does what a point estimate from six runs cannot: it does not take one
// accidental fit for the truth.
#pragma once

#include <vector>

#include "feature_map.h"
#include "gp.h"
#include "sextant/core/rng.h"

namespace sextant::explore {

struct KernelPrior {
  // Median length scale of a feature is this times the root of the number of features: then the distance
  // across the space does not depend on how many there are. Shorter ones find optima inside the space.
  double length = 0.3;
  double length_log_sd = 1;
  double noise_sd = 0.1;  // relative to the function's
  double noise_log_sd = 1;
  double mean_variance = 10;  // hardly anything is known of the mean
  // A step up or down above a threshold of one numeric feature or total, as high as the function varies.
  double step_chance = 0.75;
  double step_sd = 1;
  double step_log_sd = 0.7;
};

// The index-th setting of a stream, whatever the number drawn.
GpKernel draw_kernel(const FeatureMap& features, const KernelPrior& prior, const Rng& stream,
                     std::uint64_t index);

// Published settings vary around a given one: each length and the noise by a normal factor of this log sd.
GpKernel perturbed(const FeatureMap& features, GpKernel kernel, double log_sd, Rng& rng);

}  // namespace sextant::explore
