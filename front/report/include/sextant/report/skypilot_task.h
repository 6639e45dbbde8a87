// The first offer as a task of SkyPilot (docs.skypilot.co, YAML specification): its resources, and commands
// that the user replaces by their own.
#pragma once

#include <string>

#include "sextant/ask/advise.h"

namespace sextant::report {

// The answer has an offer.
std::string skypilot_task(const ask::AdviseAnswer& answer, const ask::AdviseQuestion& question,
                          const catalog::Catalog& catalog);

}  // namespace sextant::report
