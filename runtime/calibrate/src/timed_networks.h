// Networks run in worker processes, operator by operator and step by step.
#pragma once

#include <optional>
#include <vector>

#include "sextant/measure/supervisor.h"
#include "sextant/predict/calibrated_device.h"

namespace sextant::calibrate {

struct NetworkTrial {
  jobs::Job job;
  std::int64_t threads = 1;
  std::int64_t warmup = 1;
  std::int64_t repetitions = 4;
  std::uint64_t seed = 0;
};

// SystemError with the worker's word where it fails.
std::vector<measure::OperatorTiming> time_operators(const NetworkTrial& trial,
                                                    const measure::SuperviseOptions& options);
predict::TimedStep time_step(const NetworkTrial& trial, const measure::SuperviseOptions& options);

// Times by node, as fits want them.
void set_operator_times(predict::TimedNetwork& network, const std::vector<measure::OperatorTiming>& timings);

}  // namespace sextant::calibrate
