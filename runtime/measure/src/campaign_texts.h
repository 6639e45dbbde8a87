// What a campaign waits for while it runs, and why it stopped.
#pragma once

#include <string>
#include <vector>

#include "sextant/measure/campaign.h"

namespace sextant::measure {

enum class CampaignEnd { precise, budget, once, interrupted };

// Half of the 95 % interval, relative to the median; infinite where too few iterations were measured.
double relative_half_width(const TrialResult& result);

// "lenet5, all-reduce, 2 workers".
std::string configuration_text(const Trial& trial);

// "median known to 6 %, asked 2 %, 34 rounds, at most 1 min 40 s more". Empty before the first round is over.
std::string waiting_text(const std::vector<const TrialResult*>& results, double precision, double left_s);

// Why it stopped and how sure the medians are, as sentences. Empty where no iteration was measured.
std::string ending_text(const std::vector<const TrialResult*>& results, CampaignEnd end,
                        const CampaignOptions& options, double seconds);

}  // namespace sextant::measure
