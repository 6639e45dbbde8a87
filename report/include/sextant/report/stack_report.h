// Calibrated stacks and the accuracy page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/predict/accuracy.h"
#include "sextant/predict/stack.h"
#include "sextant/report/table.h"

namespace sextant {

// One row: what the stack was fitted on, how well it fits there, and the half-widths of its intervals.
Table stack_table(const Stack& stack, std::span<const Observation* const> rows);

Table accuracy_table(const std::vector<AccuracyLine>& lines);
// The page docs/accuracy.md: the table, what each line means, and the error by what was left out.
std::string accuracy_page(const std::vector<AccuracyLine>& lines);

}  // namespace sextant
