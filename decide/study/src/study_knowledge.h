// What a study knows before its first trial: predictions of this program, and earlier studies.
#pragma once

#include "sextant/study/run_study.h"

namespace sextant::study {

// Asks `predict` with the study's arguments, each configuration once. Empty where the study has no prior;
// InputError where predict refuses the question.
explore::Prior prior_of(const StudySpec& study, const OwnCommand& own_command);

// Studies that `study.past` names: "name" in the same store, "FILE" or "FILE#name" elsewhere. Factors are
// found by name; trials that have no place in this space are left out.
std::vector<explore::PastStudy> past_studies(const StudySpec& study, const std::string& location);

}  // namespace sextant::study
