// Help and manual, from the declarations: an example first, then the options.
#pragma once

#include <string>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant::cli {

std::string program_help(const std::vector<Command>& commands);
std::string group_help(const std::vector<Command>& commands, const std::string& group);
std::string command_help(const Command& command, const std::vector<Option>& globals);

// The same as one Markdown page.
std::string reference_page(const std::vector<Command>& commands, const std::vector<Option>& globals);

}  // namespace sextant::cli
