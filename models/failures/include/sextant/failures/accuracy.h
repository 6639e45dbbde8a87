// How far forecasts of goodput are off, on recorded clusters: from the first half of each log, for the
// second.
#pragma once

#include <string>
#include <vector>

#include "sextant/stats/accuracy.h"

namespace sextant::failures {

// The logs of lanl-failures/ and gpu-cluster-faults/ below `data`; how far rates drift is measured on the
// other logs. InputError where they are not there.
std::vector<stats::AccuracyLine> goodput_accuracy(const std::string& data);

}  // namespace sextant::failures
