// A modelled step by operator: what the device does of each, and what the host does to issue it.
#pragma once

#include "sextant/predict/stack.h"

namespace sextant::predict {

// `question` is the query as the stack sees it. The step of the model, without effects.
StepParts modelled_parts(const Query& query, const StackTraits& traits, const Observation& question,
                         const Coefficients& coefficients);

// All parts of the step alike.
void stretch(StepParts& parts, double factor);

}  // namespace sextant::predict
