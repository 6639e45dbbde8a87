// What a simulation takes for granted where nobody says it.
#pragma once

#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/simulate/sweep.h"

namespace sextant::ask {

// `durations`: the jobs' run times count on the first pool, and the pools' speeds on the others.
void add_assumptions(const simulate::SweepPlan& plan, const catalog::Catalog& catalog, bool durations,
                     std::vector<std::string>& notes);

}  // namespace sextant::ask
