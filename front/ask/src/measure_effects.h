// Lists of a question that have two values each, read as a two-level design.
#pragma once

#include <vector>

#include "sextant/ask/measure.h"

namespace sextant::ask {

// InputError where no list has two values, or one has more.
std::vector<measure::TwoLevelFactor> two_level_design(const MeasureQuestion& question);

}  // namespace sextant::ask
