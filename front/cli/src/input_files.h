// The files that a run reads because its options name them: what the provenance of its result keeps.
#pragma once

#include <string>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant::cli {

// Paths of files that are there, in the order of the options, each once.
std::vector<std::string> input_files(const std::vector<Option>& options);

}  // namespace sextant::cli
