// The options that `advise` and `scale` have in common: the job and the market.
#pragma once

#include <vector>

#include "sextant/ask/advise.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

// All but the size of the data set, and the machines.
std::vector<Option> plan_options(ask::PlanFields& fields);

}  // namespace sextant::cli
