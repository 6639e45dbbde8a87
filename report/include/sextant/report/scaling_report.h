// The scaling law: what it was fitted on and its errors, an evaluation on new rows, answers to cases.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sextant/report/svg_scatter.h"
#include "sextant/report/table.h"
#include "sextant/scaling/model.h"

namespace sextant {

Table scaling_table(const ScalingModel& model);

struct ScalingEvaluated {
  Seconds measured;
  ScaledStep step;
};
Table scaling_evaluation_table(const std::vector<ScalingEvaluated>& rows);
Scatter scaling_residuals(const std::vector<ScalingEvaluated>& rows);

struct ScalingAnswer {
  ScaledStep step;
  std::string error = {};  // why there is no answer
};
// The columns of the table, then those of other answers to cases; the law says nothing of memory.
void write_scaling_answers(std::ostream& out, const CsvTable& table,
                           const std::vector<ScalingAnswer>& answers);

}  // namespace sextant
