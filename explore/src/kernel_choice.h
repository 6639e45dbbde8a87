// Which kernels of the prior an ensemble keeps, and with what weight.
#pragma once

#include "gp_ensemble.h"

namespace sextant {

struct WeighedKernel {
  GpKernel kernel;
  std::optional<std::size_t> mean = {};
  double log_weight = 0;
  double weight = 0;
};

// Settings of the prior in the order of their stream, with the mean that each starts from.
std::vector<WeighedKernel> drawn_kernels(const EnsembleInput& input);

// Of the drawn ones those that matter, at most `most`, by their weight.
std::vector<WeighedKernel> chosen_kernels(const EnsembleInput& input, std::size_t most);

// Values less the mean, and the prior of their scale.
GpData residuals(const EnsembleInput& input, const std::optional<std::size_t>& mean);
ScalePrior scale_of(const EnsembleInput& input, const std::optional<std::size_t>& mean);

}  // namespace sextant
