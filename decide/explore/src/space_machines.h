// A factor whose levels are machine types: a list of names, or those of the catalogue that a filter keeps.
#pragma once

#include "sextant/explore/space_toml.h"

namespace sextant::explore {

// Reads `levels` ("all", a filter, or names) and `features` (names) into levels and their features.
void read_machines(TomlSection& section, const MachineLookup& machines, SearchFactor& factor);

}  // namespace sextant::explore
