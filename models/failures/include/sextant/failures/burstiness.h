// Do failures come alone and at any time, as the formulas for checkpoints suppose?
#pragma once

#include "sextant/failures/failure_log.h"

namespace sextant::failures {

struct Burstiness {
  double scv = 0;      // squared coefficient of variation of the gaps between failures; 1: exponential
  double shape = 0;    // of a Weibull distribution fitted to the gaps above 0; below 1: early or late
  double shape_p = 1;  // likelihood ratio against the exponential distribution
  // Failures that come within `window` of one on another node, beyond chance: a switch, a rack, a power line.
  double together = 0;           // share of all failures
  double expected_together = 0;  // were failures independent
  double together_p = 1;         // of as many or more, normal approximation of the binomial
  double last_half = 0.5;        // share of the failures in the second half of the time
};

// InputError: fewer than 10 failures at different times.
Burstiness burstiness(const FailureLog& log, Seconds window);

}  // namespace sextant::failures
