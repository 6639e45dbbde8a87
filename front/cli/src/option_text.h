// How options and commands are said in help, in the reference and in manual pages.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant::cli {

// "sextant predict [NET] [options]"
std::string usage(const Command& command);
// "--batch LIST", "NET"
std::string option_name(const Option& option);
// Its summary with choices, default and older names.
std::string option_meaning(const Option& option);

struct OptionGroup {
  std::string heading;
  std::vector<Option> options;
};
// Positionals ("Arguments"), what most people need ("Options"), then the other groups in the order of their
// first option. None is empty.
std::vector<OptionGroup> option_groups(const std::vector<Option>& options);

struct CommandGroup {
  std::string heading;
  std::vector<Command> commands;
};
// By what people come with, in the order of Wish.
std::vector<CommandGroup> command_groups(const std::vector<Command>& commands);

// "0 done, 1 failed …"
extern const char* const kExitCodes;

}  // namespace sextant::cli
