// Variables that every process of a trial gets, whoever starts it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sextant/measure/trial.h"

namespace sextant::measure {

// Threads of the numeric libraries, which read them before main; libtorch is told again by the worker.
std::vector<std::pair<std::string, std::string>> rank_environment(const Trial& trial);

}  // namespace sextant::measure
