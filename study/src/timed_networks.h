// Networks run in worker processes, operator by operator and step by step.
#pragma once

#include <optional>
#include <vector>

#include "sextant/measure/supervisor.h"
#include "sextant/predict/calibrated_device.h"

namespace sextant {

struct NetworkTrial {
  std::string net;
  Binding sizes;
  std::int64_t threads = 1;
  std::int64_t warmup = 1;
  std::int64_t repetitions = 4;
  std::uint64_t seed = 0;
};

// SystemError with the worker's word where it fails.
std::vector<OperatorTiming> time_operators(const NetworkTrial& trial, const SuperviseOptions& options);
TimedStep time_step(const NetworkTrial& trial, const SuperviseOptions& options);

// Times by node, as fits want them.
void set_operator_times(TimedNetwork& network, const std::vector<OperatorTiming>& timings);

}  // namespace sextant
