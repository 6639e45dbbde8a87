// A job whose times are still to be predicted: a network, and how much of it is trained. Planning knows
// neither networks nor devices; whoever asks for a plan predicts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sextant/capacity/snapshot.h"
#include "sextant/core/error.h"

namespace sextant::capacity {

struct TrainedNetwork {
  std::string net = {};
  std::int64_t batch = 32;  // samples of a step on each GPU
  std::int64_t samples = 0;
  double epochs = 1;
  std::string precision = "fp32";
  std::string stack = {};  // empty: the usual one
  SourcePos at = {};
};

// The ways to run it, sorted by type, then GPUs; never none. InputError where nothing can be predicted.
using NetworkTimes =
    std::function<std::vector<JobOption>(const TrainedNetwork&, const std::vector<MachineType>&)>;

}  // namespace sextant::capacity
