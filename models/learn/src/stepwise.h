// Stepwise selection (Draper and Smith, Applied Regression Analysis, ch. 15): terms enter and leave by
// the F test of what they add to the others. Intercept always in.
#pragma once

#include <span>
#include <vector>

#include "sextant/stats/linear_model.h"

namespace sextant::learn {

// The next candidate: the largest partial F, or, as Octave's stepwisefit-like tools do, the largest
// plain correlation with the residuals, with at most one removal a pass.
enum class StepwiseCandidate { partial_f, residual_correlation };

struct StepwiseOptions {
  double p_enter = 0.05;
  double p_remove = 0.10;  // at least p_enter, or terms would go in circles
  StepwiseCandidate candidate = StepwiseCandidate::partial_f;
  int max_passes = 100;
};

// Columns of design.x, in the order of entry. Columns that are combinations of those inside never enter.
std::vector<std::size_t> select_stepwise(const stats::Design& design, const StepwiseOptions& options);

}  // namespace sextant::learn
