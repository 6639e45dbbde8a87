// Predictions, one answer a row: where, how long, how much memory, what it costs.
#pragma once

#include <vector>

#include "sextant/ask/answer.h"
#include "sextant/report/result.h"

namespace sextant::report {

Result predictions_result(const std::vector<ask::Answer>& answers);

}  // namespace sextant::report
