// A trial that is a process: waited for to its end, the study's timeout or an interruption, all of it with
// everything that it started.
#pragma once

#include <filesystem>
#include <string>

#include "sextant/measure/launched_command.h"
#include "sextant/study/evaluator.h"

namespace sextant::study {

// Completed, with the metric `seconds` that it took; failed, with how it ended; or timed out, with a bound
// where those seconds are what is minimised. Messages close with the end of its log. EvaluationInterrupted.
explore::TrialOutcome await_run(measure::LaunchedCommand& command, const EvaluatorSetup& setup);

// As much of a file's end as metrics are looked for in; "" where there is no file.
std::string end_of_file(const std::filesystem::path& path);

}  // namespace sextant::study
