// The command that a process of a trial is started through: into a network namespace, at a lower priority,
// behind a fault. In its words "{rank}" is the number of the process.
#pragma once

#include <string>
#include <vector>

#include "sextant/measure/runner.h"

namespace sextant::measure {

// WRAPPER WORKER FOLDER, its program found on PATH. A wrapper that stays beside the worker takes it along
// when it is ended.
std::vector<std::string> wrapped_command(const RunRequest& request, std::int64_t rank);

// The words for a line of shell in which $SEXTANT_RANK is the number, with a blank behind; empty: none.
std::string wrapper_line(const std::vector<std::string>& wrapper);

}  // namespace sextant::measure
