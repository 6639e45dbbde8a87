// The error of the law on measured placements that it did not see; lines of docs/accuracy.md.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/stats/accuracy.h"

namespace sextant::scaling {

// Reads scaling/sia_*.csv and scaling/lambda_pytorch_throughput.csv below the folder; InputError without.
std::vector<stats::AccuracyLine> scaling_accuracy(const std::string& data_folder, Progress& progress);

}  // namespace sextant::scaling
