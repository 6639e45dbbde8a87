// One process of a trial, from its rank to its report.
#pragma once

#include "sextant/measure/run_folder.h"

namespace sextant::engine {

// Reads the trial, trains or serves, writes report (and spans). The exit code: 0, or 1 with the error in the
// report.
int run_worker(const measure::RunFolder& folder, std::int64_t rank);

}  // namespace sextant::engine
