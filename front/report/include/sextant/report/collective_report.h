// Collectives as text: estimates and algorithms as tables, answers to a file of cases beside its rows.
#pragma once

#include <array>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/ask/collectives.h"
#include "sextant/report/table.h"

namespace sextant::report {

Table collective_table(const std::vector<ask::CollectiveRow>& rows);
Table algorithm_table(const std::vector<ask::AlgorithmRow>& rows);

// The coefficients of each kind of wire, and the widths of the intervals in the notes.
Table calibration_table(const collectives::Calibration& calibration);

// A column of the file that has one of these names is left out: the answer's takes its place.
inline constexpr std::array<std::string_view, 6> kCollectiveAnswerColumns = {
    "predicted_s", "low_s", "high_s", "latency_s", "transfer_s", "error"};

// Latency and transfer add up to the prediction; all is empty but `error` where there is one.
void write_collective_answers(std::ostream& out, const CsvTable& table,
                              const std::vector<collectives::CollectiveAnswer>& answers);

}  // namespace sextant::report
