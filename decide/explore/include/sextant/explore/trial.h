// A trial: a configuration and what came of running it. Searches propose it, evaluators run it, stores keep
// it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sextant/explore/space.h"

namespace sextant::explore {

enum class TrialState { running, completed, failed, timed_out };

struct TrialOutcome {
  TrialState state = TrialState::running;
  std::map<std::string, double> metrics = {};  // of a completed trial: finite
  // Of a trial that was stopped: the first objective is at least so much (at most, where it is maximised).
  std::optional<double> bound = {};
  std::string message = {};  // why it failed, with the end of its output
};

struct Trial {
  std::int64_t number = 0;  // from 1, in the order of the asks
  Configuration configuration = {};
  TrialOutcome outcome = {};
  double cost = 0;  // in the unit of the budget
};

}  // namespace sextant::explore
