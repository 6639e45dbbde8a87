// A study for people and scripts: the best configuration or the front, every trial, and how it came to that.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/report/table.h"
#include "sextant/study/run_study.h"

namespace sextant::report {

// The best trial, or the front of several objectives; with notes on the end, the trials and the cost.
Table study_result_table(const study::StudySpec& study, const study::StudyOutcome& outcome);
// Every trial, by number.
Table study_trials_table(const study::StudySpec& study, const study::StudyOutcome& outcome);
Json study_json(const study::StudySpec& study, const study::StudyOutcome& outcome);

// A trial that has just ended, on one line: its result, the best so far, the cost, the chance that more
// helps.
std::string trial_line(const study::StudySpec& study, const study::StoredTrial& trial,
                       const study::StudyOutcome& outcome);

// Trials to run, for `ask`.
Table asked_table(const study::StudySpec& study, const std::vector<study::StoredTrial>& trials);
Json asked_json(const study::StudySpec& study, const std::vector<study::StoredTrial>& trials);

}  // namespace sextant::report
