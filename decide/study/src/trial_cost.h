// What a trial cost, by the study's expression.
#pragma once

#include "sextant/study/study_file.h"
#include "sextant/study/study_store.h"

namespace sextant::study {

// Of a trial with its configuration: fills in cost, and the metric cost_usd where the run gave none; of a
// trial that was stopped also the bound of that objective. InputError for a name that means nothing, or a
// cost that is no finite number >= 0.
void add_cost(const StudySpec& study, StoredTrial& trial);

// Names that are neither factors, features, `seconds` nor metrics of the study: InputError where the
// evaluator gives no others.
void check_cost_names(const StudySpec& study);

}  // namespace sextant::study
