// What a trial says about its configuration, on one scale for all outcomes: completed within the limits,
// beyond one, stopped, failed, still running.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sextant/explore/search_strategy.h"
#include "value_scale.h"

namespace sextant::explore {

// In the order of preference: any trial of one kind is better than all of the next.
enum class LossKind { feasible, beyond_limit, timed_out, failed, running };

struct TrialLoss {
  LossKind kind = LossKind::running;
  double value = 0;      // feasible, beyond_limit: of the first objective, smaller is better
  bool bounded = false;  // timed_out: `value` is at least so much
  double beyond = 0;     // beyond_limit: sum over the limits of the excess, in units of the limit
};

// By the first objective. A completed trial without it, or with one that is not finite, has failed.
std::vector<TrialLoss> trial_losses(const SearchView& view);

bool better(const TrialLoss& a, const TrialLoss& b);  // by kind, then excess, then value

// A number for every trial, for models that want one whatever happened. Trials beyond a limit stand behind
// the feasible ones by their excess, half of the feasible range at most, so that they do not bend the model;
// stopped and failed ones are as bad as the worst. Running ones are in the middle (constant liar:
// Ginsbourger, Le Riche and Carraro 2010), which makes the place of one of them less inviting.
struct ScaledLosses {
  ValueScale scale;
  std::vector<double> values;  // on the scale, smaller is better
  double best = 0;             // of the feasible ones; where there are none, of what completed
};
// Nothing where no trial has completed.
std::optional<ScaledLosses> scaled_losses(std::span<const TrialLoss> losses, bool maximise);

}  // namespace sextant::explore
