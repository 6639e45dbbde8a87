// Calibrated stacks and the accuracy page.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/fit.h"
#include "sextant/report/result.h"
#include "sextant/stats/accuracy.h"

namespace sextant::report {

// What the stack was fitted on, how well it fits there, and the half-widths of its intervals.
Result stack_fit_result(const ask::KernelFit& fit);

Result accuracy_result(const std::vector<stats::AccuracyLine>& lines);
// The page docs/accuracy.md: the table, what each line means, and the error by what was left out.
std::string accuracy_page(const std::vector<stats::AccuracyLine>& lines);

}  // namespace sextant::report
