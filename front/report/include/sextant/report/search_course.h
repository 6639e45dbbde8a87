// The course of searches as pictures: what was the best after each trial.
#pragma once

#include <string>

#include "sextant/study/run_study.h"
#include "sextant/study/table_search.h"

namespace sextant::report {

// The first objective of the best feasible trial so far, by the numbers of the trials. InputError before
// there is one.
std::string study_course_svg(const study::StudySpec& study, const study::StudyOutcome& outcome);
// Best over optimum, mean over the groups, a line per strategy.
std::string table_course_svg(const study::TableSearchReport& report);

}  // namespace sextant::report
