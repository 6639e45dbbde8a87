// Advice in sentences: why the first is the first, what would change that, and what stands in the way if
// nothing fits.
#pragma once

#include "sextant/plan/advise.h"

namespace sextant {

std::string reason_of(const Advice& advice, const Wishes& wishes);
std::vector<std::string> changes_of(const Advice& advice, const Wishes& wishes);
std::vector<std::string> cautions_of(const Offer& first, const Wishes& wishes);

// The constraint that has to give least; of offers that break several, the one that they break most.
Tightest tightest_constraint(const Offers& offers, const Wishes& wishes);

}  // namespace sextant
