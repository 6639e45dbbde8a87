// sextant fit --method kernel: calibrates the kernel model for a software stack from timed steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant {

struct KernelFitArgs {
  std::vector<std::string> data;        // case files with a time, or one folder for a recipe
  std::optional<std::string> recipe;    // name or path
  std::optional<std::string> stack;     // of the result
  std::optional<std::string> start;     // stack to start from: a name or a file
  std::string response = "measured_s";  // of case files
  std::string out;
};

int fit_kernel(const KernelFitArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant
