#include "sextant/measure/training_strategy.h"

#include <algorithm>

namespace sextant::measure {

TrainingCheckpoint TrainingStrategy::save() {
  const std::span<const float> parameters = replica().parameters();
  const std::span<const float> statistics = replica().statistics();
  const std::span<const float> moments = optimizer()->state();
  return {.optimizer = optimizer()->settings().kind,
          .updates = optimizer()->updates(),
          .parameters = {parameters.begin(), parameters.end()},
          .statistics = {statistics.begin(), statistics.end()},
          .moments = {moments.begin(), moments.end()}};
}

void copy_checked(std::span<const float> from, std::span<float> to, const char* what) {
  if (from.size() != to.size()) {
    throw InputError("the checkpoint has " + std::to_string(from.size()) + " values of " + what +
                     "; this network has " + std::to_string(to.size()));
  }
  std::ranges::copy(from, to.begin());
}

void TrainingStrategy::restore(const TrainingCheckpoint& checkpoint) {
  if (checkpoint.optimizer != optimizer()->settings().kind) {
    throw InputError("the checkpoint is of optimizer " + to_string(checkpoint.optimizer));
  }
  copy_checked(checkpoint.parameters, replica().parameters(), "parameters");
  copy_checked(checkpoint.statistics, replica().statistics(), "statistics");
  copy_checked(checkpoint.moments, optimizer()->state(), "moments");
  optimizer()->set_updates(checkpoint.updates);
}

}  // namespace sextant::measure
