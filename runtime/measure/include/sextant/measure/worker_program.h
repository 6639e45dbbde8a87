// Where the program sextant-worker is.
#pragma once

#include <filesystem>

#include "sextant/measure/supervisor.h"

namespace sextant::measure {

// The one that is named, or the one beside this program; SystemError where it cannot be run.
std::filesystem::path worker_program(const SuperviseOptions& options);

}  // namespace sextant::measure
