// A study for people and scripts: the best configuration or the front, every trial, and how it came to that.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/explore.h"
#include "sextant/report/result.h"

namespace sextant::report {

enum class StudyTrials { best, all };  // which of them people want to see

// The best trial, or the front of several objectives; every trial by number; the end, the costs.
Result study_result(const study::StudySpec& study, const study::StudyOutcome& outcome, StudyTrials shown);

// Several studies of one store, a row each.
Result studies_result(const std::vector<ask::StudyAnswer>& studies);

// A trial that begins, on one line.
std::string started_line(const study::StudySpec& study, const study::StoredTrial& trial);
// What is waited for after somebody asked for an end; of trials by their numbers.
std::string waiting_line(const std::vector<std::int64_t>& trials);
// A trial that has just ended, on one line: its result, the best so far, the cost so far.
std::string trial_line(const study::StudySpec& study, const study::StoredTrial& trial,
                       const study::StudyCourse& course);

// Trials to run, for `ask`.
Result asked_result(const study::StudySpec& study, const std::vector<study::StoredTrial>& trials);

}  // namespace sextant::report
