// What several strategies share.
#pragma once

#include <span>

#include "sextant/measure/training_strategy.h"

namespace sextant::measure {

inline OptimizerSettings optimizer_settings(const Trial& trial) {
  return {.kind = trial.job.optimizer,
          .learning_rate = trial.learning_rate,
          .momentum = trial.momentum,
          .threads = trial.threads};
}

// InputError where a checkpoint's array and the network's have different lengths.
void copy_checked(std::span<const float> from, std::span<float> to, const char* what);

// SystemError on every worker if the replicas do not hold the same parameters to the bit.
void check_same_parameters(Transport& transport, std::int64_t workers, std::span<const float> parameters);

}  // namespace sextant::measure
