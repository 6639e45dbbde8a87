// Answers to a case file as CSV: the columns of the file as they were, then those of the answer.
// Written in large pieces, with no stream operation per cell: these files can have millions of rows.
#pragma once

#include <array>
#include <iosfwd>
#include <string_view>

#include "sextant/core/csv.h"
#include "sextant/predict/case_file.h"

namespace sextant::report {

// A column of the file that has one of these names is left out: the answer's takes its place.
inline constexpr std::array<std::string_view, 11> kAnswerColumns = {
    "predicted_s",     "low_s",           "high_s",       "compute_s",
    "communication_s", "overhead_s",      "memory_bytes", "fits",
    "extrapolating",   "chosen_strategy", "error"};

// Compute, communication and overhead add up to the prediction; waiting for input counts as overhead.
// chosen_strategy has its parameters, "pipeline:micro=8", and is empty on one device.
// high_s is empty where the model only bounds from below; all is empty but `error` where there is one.
void write_case_answers(std::ostream& out, const CsvTable& table, const predict::CaseAnswers& answers);

}  // namespace sextant::report
