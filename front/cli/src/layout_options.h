// Where the devices of a job stand and how they share it, as commands declare it.
#pragma once

#include <vector>

#include "sextant/ask/job_fields.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

std::vector<Option> layout_options(ask::LayoutFields& fields);

}  // namespace sextant::cli
