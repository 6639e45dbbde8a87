// Predictions, one answer a row: where, how long, how much memory, what it costs.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/answer.h"
#include "sextant/report/result.h"

namespace sextant::report {

// `notes` are clauses that stand below the table.
Result predictions_result(const std::vector<ask::Answer>& answers,
                          const std::vector<std::string>& notes = {});

}  // namespace sextant::report
