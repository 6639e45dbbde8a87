// Measured configurations, their operators, and the effects of factors, for people and programs.
#pragma once

#include <span>
#include <string>

#include "sextant/ask/measure.h"
#include "sextant/core/json.h"
#include "sextant/report/table.h"

namespace sextant::report {

Table measurements_table(std::span<const measure::TrialResult> results);
Json measurements_json(std::span<const measure::TrialResult> results);

// An operator a row, of every configuration: what `sextant fit` takes as it is.
Table operators_timing_table(std::span<const measure::TrialResult> results);

Table effects_table(std::span<const ask::NetworkEffects> networks, const std::string& response);

}  // namespace sextant::report
