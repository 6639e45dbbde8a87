// Timed steps that cannot be what they are said to be. A step that is shorter than its device needs at least
// ran in another number format than was said, and would make every other answer too fast; one that is far off
// what the model says is mostly in another unit.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/predict/stack.h"

namespace sextant::predict {

// Those that their devices can have taken; `notes` say which were left out, and what to ask oneself.
// Hundreds of times what the stack says is a unit, not software.
std::vector<Measurement> credible_timings(std::span<const Measurement> timed, const catalog::Catalog& catalog,
                                          const Stack& stack, std::vector<std::string>& notes);

// Of timings that are used all the same: those more than 20 times above or below what the stack says.
std::vector<std::string> far_off_notes(const Stack& stack, std::span<const Measurement> timed,
                                       std::span<const Observation> rows);

}  // namespace sextant::predict
