// sextant fit --method scaling: the law of data-parallel steps from timed placements.
#pragma once

#include <string>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant {

struct ScalingFitArgs {
  std::vector<std::string> data;
  std::string out;
};

int fit_scaling_law(const ScalingFitArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant
