// Answers to a case file: the columns of the file as they were, then those of the answer.
#pragma once

#include "sextant/predict/case_file.h"
#include "sextant/report/answered_cases.h"

namespace sextant::report {

// chosen_strategy has its parameters, "pipeline:micro=8", and is empty on one device. high_s is empty where
// the model only bounds from below. All is empty but `error` where there is one. Both must outlive what is
// made of them.
AnsweredCases case_answers(const CsvTable& table, const predict::CaseAnswers& answers);

}  // namespace sextant::report
