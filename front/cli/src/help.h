// Help on the screen, from the declarations: an example first, then what most people need, then the rest by
// groups.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant::cli {

// Columns of help on a terminal of that width; 0 for pipes. Longer lines than 120 columns are hard to read.
std::size_t help_width(int terminal_width);

std::string program_help(const std::vector<Command>& commands, std::size_t width);
std::string group_help(const std::vector<Command>& commands, const std::string& group, std::size_t width);
std::string command_help(const Command& command, const std::vector<Option>& globals, std::size_t width);

}  // namespace sextant::cli
