// Throughput of reading training data, for people and programs.
#pragma once

#include "sextant/core/json.h"
#include "sextant/measure/input_experiment.h"
#include "sextant/report/table.h"

namespace sextant::report {

Table input_points_table(const measure::InputReport& report);
Table input_lines_table(const measure::InputReport& report);   // each factor alone
Table input_ratios_table(const measure::InputReport& report);  // all factors at once
Json input_json(const measure::InputReport& report);

}  // namespace sextant::report
