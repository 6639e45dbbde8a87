#include "read_trials.h"

#include "sextant/core/error.h"

namespace sextant::study {

void ReadTrials::put(StoredTrial trial, const std::string& where) {
  const std::int64_t number = trial.number;
  if (number < 1 || number > last() + 1) {
    throw InputError({where}, "the store is damaged: trial " + std::to_string(last() + 1) + " is missing",
                     "restore the store from a copy");
  }
  if (trial.outcome.state == explore::TrialState::running) {
    running_.insert(number);
  } else {
    running_.erase(number);
  }
  if (number > last()) {
    all_.push_back(std::move(trial));
  } else {
    all_[static_cast<std::size_t>(number - 1)] = std::move(trial);
  }
}

}  // namespace sextant::study
