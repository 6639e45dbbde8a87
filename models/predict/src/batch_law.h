// A step never gets shorter as its batch grows. The kernel model keeps that law; what was learnt of a network
// at the batches that were timed may break it, since libraries change kernels from one batch to the next and
// each timed batch has an effect of its own. Between timed batches the effect goes over from one to the next,
// beyond them it stays as it was at the last, and a batch that was timed shorter than a smaller one takes as
// long as that.
#pragma once

#include <span>

namespace sextant::predict {

// A batch that the stack was fitted on: what the model says of it, without and with effects.
struct BatchKnot {
  double log_modelled = 0;
  double log_total = 0;
  double samples = 1;
};

// log seconds of a step of which the model says `log_modelled`. Knots stand by batch, smallest first; at
// least one.
double lawful_log_total(std::span<const BatchKnot> knots, double log_modelled);

// The effect at a batch, of log time, by its way between the timed batches around it. It does not depend on
// what the model says, so that devices which differ in their rates alone have the same.
double steady_log_effect(std::span<const BatchKnot> knots, double samples);

}  // namespace sextant::predict
