// Calibrated stacks and the accuracy page.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/fit.h"
#include "sextant/report/table.h"
#include "sextant/stats/accuracy.h"

namespace sextant::report {

// One row: what the stack was fitted on, how well it fits there, and the half-widths of its intervals.
Table stack_table(const ask::KernelFit& fit);

Table accuracy_table(const std::vector<stats::AccuracyLine>& lines);
// The page docs/accuracy.md: the table, what each line means, and the error by what was left out.
std::string accuracy_page(const std::vector<stats::AccuracyLine>& lines);

}  // namespace sextant::report
