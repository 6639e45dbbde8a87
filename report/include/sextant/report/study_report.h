// A study for people and scripts: the best configuration or the front, every trial, and how it came to that.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/report/table.h"
#include "sextant/study/run_study.h"

namespace sextant {

// The best trial, or the front of several objectives; with notes on the end, the trials and the cost.
Table study_result_table(const StudySpec& study, const StudyOutcome& outcome);
// Every trial, by number.
Table study_trials_table(const StudySpec& study, const StudyOutcome& outcome);
Json study_json(const StudySpec& study, const StudyOutcome& outcome);

// A trial that has just ended, on one line: its result, the best so far, the cost, the chance that more
// helps.
std::string trial_line(const StudySpec& study, const StoredTrial& trial, const StudyOutcome& outcome);

// Trials to run, for `ask`.
Table asked_table(const StudySpec& study, const std::vector<StoredTrial>& trials);
Json asked_json(const StudySpec& study, const std::vector<StoredTrial>& trials);

}  // namespace sextant
