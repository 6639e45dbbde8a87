// Is reading the data a bottleneck, for which steps, and what to change?
#pragma once

#include <string>

#include "sextant/measure/input_experiment.h"

namespace sextant::report {

// Sentences about the plainest setting that was measured and the fastest ones; empty where nothing was.
std::string input_verdict(const measure::InputReport& report);

}  // namespace sextant::report
