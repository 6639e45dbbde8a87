// Which cases to time on a new device: those whose times would tell most about all the others, given
// how devices are known to depart from the shared model (greedy A-optimal design; nothing measured on
// the device is needed to choose).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/predict/kernel_fit.h"

namespace sextant::predict {

struct TrialChoice {
  std::span<const Observation* const> candidates;  // their times are not read
  std::vector<std::string> groups;  // of each candidate; a group is timed as a whole. Empty: each alone
  std::size_t count = 8;            // groups to choose
};

// Names of the chosen groups (or, without groups, indices as text), in order of worth.
std::vector<std::string> choose_trials(const TrialChoice& choice, const SharedFit& shared);

}  // namespace sextant::predict
