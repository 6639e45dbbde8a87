// NET and its sizes, as every command that takes a network declares them.
#pragma once

#include <vector>

#include "sextant/ask/job_fields.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

std::vector<Option> network_options(ask::NetFields& fields);

}  // namespace sextant::cli
