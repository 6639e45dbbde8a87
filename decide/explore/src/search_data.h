// Trials as models see them: values on one scale, failures as vague bad news, what runs now.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gp_ensemble.h"
#include "sextant/explore/search_strategy.h"
#include "value_scale.h"

namespace sextant::explore {

// A loss per trial on the scale of the model; nothing for what did not complete.
struct ModelLosses {
  ValueScale scale;
  std::vector<std::optional<double>> of_trials;
};
ModelLosses model_losses(std::span<const Trial> trials, const Objective& objective);

struct SearchData {
  ValueScale scale;
  std::vector<Configuration> seen;  // completed with a value, then failed and stopped
  Eigen::VectorXd values;           // of them
  Eigen::VectorXd extra_noise;      // of them, relative to the function's variance
  std::vector<Configuration> running;
  std::vector<std::size_t> good;    // feasible trials, the best first
  std::optional<double> best = {};  // of the feasible ones
  std::size_t completed = 0;
};

// A failed run hardly says what it would have come to: as bad as the worst one that completed, give or take
// three times as much as configurations differ. Of a run that was stopped it is known that it is at least as
// bad as its bound.
SearchData search_data(const SearchView& view, const ModelLosses& losses);

}  // namespace sextant::explore
