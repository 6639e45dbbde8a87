// Which departures of the law's coefficients a case calls for, and how large each may be.
#pragma once

#include <string>
#include <vector>

#include "sextant/llm/step_case.h"
#include "step_law.h"

namespace sextant::llm {

struct StepEffect {
  Field field;
  std::string key;   // "arch:hopper", "stack:nemo"
  double deviation;  // of what is assumed before rows are seen
  double mean = 0;
};
std::vector<StepEffect> effects_of(const StepCase& step);
// The key of what the format is worth on the device's architecture: "format:hopper fp8"
std::string format_key(const StepCase& step);

// The software and the device's architecture: "nemo hopper"
std::string pair_key(const StepCase& step);

// Of the slope of the efficiency of products in watts for a peak FLOP/s.
inline constexpr double kPowerMean = 0.5;
inline constexpr double kPowerDeviation = 0.2;

// Coefficients of a case: shared values, departures that are known, and the power of the device.
StepValues values_of(const StepModel& model, const StepCase& step, const StepDemand& demand);

}  // namespace sextant::llm
