// Shell completion, from the declarations.
#pragma once

#include <string>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant::cli {

std::string bash_completion(const std::vector<Command>& commands, const std::vector<Option>& globals);
std::string zsh_completion(const std::vector<Command>& commands, const std::vector<Option>& globals);
std::string fish_completion(const std::vector<Command>& commands, const std::vector<Option>& globals);

}  // namespace sextant::cli
