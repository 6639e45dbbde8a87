// Fits a law to timed calls: robust least squares of the logarithm, with departures of architectures that are
// drawn to nothing and shared values that are drawn to their start.
#pragma once

#include <vector>

#include "kernel_law.h"

namespace sextant::llm {

struct TimedCall {
  const KernelDevice* device;
  KernelShape shape;
  double seconds;
};

struct SolveSettings {
  std::size_t stride = 3;  // takes every so many calls into the law; trees take all
  int rounds = 16;
  bool leftover = true;  // grow the trees too
};
// Each device counts as much as any other, however often it was timed.
FittedLaw fit_law(const KernelLaw& law, const std::vector<TimedCall>& calls, const SolveSettings& settings);

}  // namespace sextant::llm
