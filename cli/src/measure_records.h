// Measured configurations and operators as records.
#pragma once

#include <span>
#include <string>

#include "sextant/core/provenance.h"
#include "sextant/measure/campaign.h"

namespace sextant {

// Kind "training-step", one for each configuration that was measured, or "operator", one for each operator.
// Gives how many were added.
std::int64_t append_measurements(const std::string& db, std::span<const TrialResult> results,
                                 const Provenance& from);

}  // namespace sextant
