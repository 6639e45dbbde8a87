// Advice in sentences, without the full stop.
#pragma once

#include <string>
#include <vector>

#include "sextant/plan/advise.h"

namespace sextant::report {

// Why the first is the first, what would change the choice, and what the first offer rests on; nothing where
// nothing fits.
std::string reason_text(const plan::Advice& advice);
std::vector<std::string> change_texts(const plan::Advice& advice);
std::vector<std::string> caution_texts(const plan::Advice& advice);

// What came nearest; only where nothing fits.
std::string tightest_text(const plan::Advice& advice);

}  // namespace sextant::report
