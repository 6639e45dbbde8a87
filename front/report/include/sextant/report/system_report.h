// Systems whose collectives were timed, listed and described.
#pragma once

#include "sextant/collectives/system.h"
#include "sextant/report/result.h"

namespace sextant::report {

Table systems_table(const collectives::Systems& systems);
Result description(const collectives::System& system);

}  // namespace sextant::report
