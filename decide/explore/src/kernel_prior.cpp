#include "kernel_prior.h"

#include <cmath>

namespace sextant::explore {

GpKernel draw_kernel(const FeatureMap& features, const KernelPrior& prior, const Rng& stream,
                     std::uint64_t index) {
  Rng rng = stream.stream("kernel", index);
  GpKernel kernel;
  const double median = prior.length * std::sqrt(static_cast<double>(features.groups()));
  std::vector<double> inverse(static_cast<std::size_t>(features.groups()));
  for (double& each : inverse) each = std::exp(-prior.length_log_sd * rng.normal()) / median;
  kernel.inverse_length.resize(features.rows());
  for (Eigen::Index row = 0; row < features.rows(); ++row) {
    kernel.inverse_length[row] = inverse[static_cast<std::size_t>(features.group(row))];
  }
  const double noise_sd = prior.noise_sd * std::exp(prior.noise_log_sd * rng.normal());
  kernel.noise = noise_sd * noise_sd;
  kernel.mean_variance = prior.mean_variance;
  const auto& axes = features.numeric_rows();
  const double chosen = rng.uniform();
  if (axes.empty() || chosen >= prior.step_chance) return kernel;
  const Eigen::Index axis = axes[rng.below(axes.size())];
  const double threshold = rng.uniform();
  const double height = prior.step_sd * std::exp(prior.step_log_sd * rng.normal());
  kernel.step = GpStep{axis, threshold, height * height};
  return kernel;
}

GpKernel perturbed(const FeatureMap& features, GpKernel kernel, double log_sd, Rng& rng) {
  std::vector<double> factors(static_cast<std::size_t>(features.groups()));
  for (double& factor : factors) factor = std::exp(log_sd * rng.normal());
  for (Eigen::Index row = 0; row < features.rows(); ++row) {
    kernel.inverse_length[row] *= factors[static_cast<std::size_t>(features.group(row))];
  }
  kernel.noise *= std::exp(2 * log_sd * rng.normal());
  return kernel;
}

}  // namespace sextant::explore
