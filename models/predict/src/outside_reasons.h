// Why a question is outside of what a stack was fitted on, for people who wonder what would be inside.
#pragma once

#include <string>
#include <vector>

#include "sextant/predict/stack.h"

namespace sextant::predict {

// Clauses, each with a subject of its own; empty: it is inside.
std::vector<std::string> outside_reasons(const Stack& stack, const Observation& question,
                                         const StackEstimate& estimate);

}  // namespace sextant::predict
