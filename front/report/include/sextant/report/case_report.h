// Answers to a case file: the columns of the file as they were, then those of the answer.
#pragma once

#include "sextant/predict/case_file.h"
#include "sextant/report/answered_cases.h"

namespace sextant::report {

// Compute, communication and overhead add up to the prediction; waiting for input counts as overhead. high_s
// is empty where the model only bounds from below; all is empty but `error` where there is one. Both must
// outlive what is made of them.
AnsweredCases case_answers(const CsvTable& table, const predict::CaseAnswers& answers);

}  // namespace sextant::report
