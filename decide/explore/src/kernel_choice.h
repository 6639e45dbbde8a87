// Which kernels of the prior an ensemble keeps, and with what weight.
#pragma once

#include "gp_ensemble.h"

namespace sextant::explore {

struct WeighedKernel {
  GpKernel kernel;
  std::optional<std::size_t> mean = {};
  double log_prior = 0;   // its part of the chance of its mean
  double log_weight = 0;  // with the likelihood
  double weight = 0;
};

// Settings of the prior, for each mean and for none as many as its chance deserves, and some in any case.
std::vector<WeighedKernel> drawn_kernels(const EnsembleInput& input);

// Of the drawn ones those that matter, at most `most`, by their weight.
std::vector<WeighedKernel> chosen_kernels(const EnsembleInput& input, std::size_t most);

// Values less the mean, and the prior of their scale.
GpData residuals(const EnsembleInput& input, const std::optional<std::size_t>& mean);
ScalePrior scale_of(const EnsembleInput& input, const std::optional<std::size_t>& mean);

}  // namespace sextant::explore
