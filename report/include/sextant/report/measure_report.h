// Measured configurations, their operators, and the effects of factors, for people and programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/measure/campaign.h"
#include "sextant/measure/factorial.h"
#include "sextant/report/table.h"

namespace sextant {

Table measurements_table(std::span<const TrialResult> results);
Json measurements_json(std::span<const TrialResult> results);

// An operator a row, of every configuration: what `sextant fit` takes as it is.
Table operators_timing_table(std::span<const TrialResult> results);

// The effects found on one network.
struct NetworkEffects {
  std::string net;
  std::vector<FactorEffect> effects;
};
Table effects_table(std::span<const NetworkEffects> networks, const std::string& response);

// Processes that were lost, a sentence each.
std::vector<std::string> failure_text(const TrialResult& result);

}  // namespace sextant
