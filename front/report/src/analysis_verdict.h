// An analysis in a few sentences: what matters most, how sure that is, what does not.
#pragma once

#include <string>

#include "sextant/analysis/analysis.h"

namespace sextant::report {

std::string analysis_verdict(const analysis::Analysis& analysis);

}  // namespace sextant::report
