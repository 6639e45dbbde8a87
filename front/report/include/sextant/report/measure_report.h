// Measured configurations, their operators, and the effects of factors, for people and programs.
#pragma once

#include <span>
#include <string>

#include "sextant/ask/measure.h"
#include "sextant/report/result.h"

namespace sextant::report {

Result measurements_result(const measure::CampaignResult& campaign);

// An operator a row, of every configuration: what `sextant fit` takes as it is.
Result operator_timings_result(std::span<const measure::TrialResult> results);

Result measured_effects_result(std::span<const ask::NetworkEffects> networks, const std::string& response);

}  // namespace sextant::report
