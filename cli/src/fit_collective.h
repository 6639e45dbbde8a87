// sextant fit --method collective: calibrates the model of collectives from timed ones.
#pragma once

#include <string>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant {

struct CollectiveFitArgs {
  std::vector<std::string> data;  // CSV files of cases with a time
  std::string out;
};

int fit_collective(const CollectiveFitArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant
