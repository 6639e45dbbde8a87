// Predictions, one answer a row: where, how long, how much memory, what it costs.
#pragma once

#include <vector>

#include "sextant/ask/answer.h"
#include "sextant/core/json.h"
#include "sextant/report/table.h"

namespace sextant::report {

Table answers_table(const std::vector<ask::Answer>& answers);
Json to_json(const ask::Answer& answer);

}  // namespace sextant::report
