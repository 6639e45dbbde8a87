// Collectives as text: estimates and algorithms as tables, answers to a file of cases beside its rows.
#pragma once

#include <vector>

#include "sextant/ask/collectives.h"
#include "sextant/report/answered_cases.h"

namespace sextant::report {

// Times; or, where the question names algorithms, what each of them takes by its plain formula.
Result collective_result(const ask::CollectiveTimes& times);

// The coefficients of each kind of wire, and how wide the intervals are.
Result collective_fit_result(const collectives::Calibration& calibration);

// Latency and transfer add up to the prediction; all is empty but `error` where there is one. Both must
// outlive what is made of them.
AnsweredCases collective_case_answers(const CsvTable& table,
                                      const std::vector<collectives::CollectiveAnswer>& answers);

}  // namespace sextant::report
