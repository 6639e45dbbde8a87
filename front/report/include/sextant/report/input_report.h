// Throughput of reading training data, for people and programs.
#pragma once

#include "sextant/measure/input_experiment.h"
#include "sextant/report/result.h"

namespace sextant::report {

// Points, then what each factor does: alone, with all others known, and as a ratio.
Result input_result(const measure::InputReport& report);

}  // namespace sextant::report
