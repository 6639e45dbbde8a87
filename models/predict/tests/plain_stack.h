// A stack whose numbers are known to the tests: the coefficients that a fit starts from, no corrections,
// and the networks of the synthetic steps as networks that it has seen.
#pragma once

#include <string>

#include "sextant/predict/stack.h"
#include "synthetic_steps.h"

namespace sextant::predict::test {

inline Stack plain_stack() {
  const auto rows = synthetic_steps({}, start_coefficients());
  Stack stack{.id = "plain-1.0",
              .traits = {},
              .shared = {.coefficients = start_coefficients()},
              .effects = {},
              .shared_effects = {},
              .spread = {},
              .range = range_of(pointers(rows)),
              .rows = rows.size()};
  for (const auto& net : StepPlan{}.nets) stack.shared_effects.by_group["net:" + net] = {};
  return stack;
}

}  // namespace sextant::predict::test
