// A study for people and scripts: the best configuration or the front, every trial, and how it came to that.
#pragma once

#include <string>
#include <vector>

#include "sextant/report/result.h"
#include "sextant/study/run_study.h"

namespace sextant::report {

enum class StudyTrials { best, all };  // which of them people want to see

// The best trial, or the front of several objectives; every trial by number; the end, the costs.
Result study_result(const study::StudySpec& study, const study::StudyOutcome& outcome, StudyTrials shown);

// A trial that has just ended, on one line: its result, the best so far, the cost, the chance that more
// helps.
std::string trial_line(const study::StudySpec& study, const study::StoredTrial& trial,
                       const study::StudyOutcome& outcome);

// Trials to run, for `ask`.
Result asked_result(const study::StudySpec& study, const std::vector<study::StoredTrial>& trials);

}  // namespace sextant::report
