// Collectives as text: estimates and algorithms as tables, answers to a file of cases beside its rows.
#pragma once

#include <array>
#include <iosfwd>
#include <string_view>
#include <vector>

#include "sextant/ask/collectives.h"
#include "sextant/report/result.h"

namespace sextant::report {

// Times; or, where the question names algorithms, what each of them takes by its plain formula.
Result collective_result(const ask::CollectiveTimes& times);

// The coefficients of each kind of wire, and how wide the intervals are.
Result collective_fit_result(const collectives::Calibration& calibration);

// A column of the file that has one of these names is left out: the answer's takes its place.
inline constexpr std::array<std::string_view, 6> kCollectiveAnswerColumns = {
    "predicted_s", "low_s", "high_s", "latency_s", "transfer_s", "error"};

// Latency and transfer add up to the prediction; all is empty but `error` where there is one.
void write_collective_answers(std::ostream& out, const CsvTable& table,
                              const std::vector<collectives::CollectiveAnswer>& answers);

}  // namespace sextant::report
