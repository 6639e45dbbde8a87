// The command line, by CLI11 over our declarations: which command, and what was given for each option.
#pragma once

#include <string>
#include <vector>

#include "settings.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct Parsed {
  const Command* command = nullptr;  // none: a group or nothing was named
  std::string group;                 // "net" of "sextant net"
  Given given;                       // the command's own options
  Given given_globals;
  bool help = false;
};

// Throws InputError for unknown commands, options and extra arguments, with the nearest known name, or the
// commands of `all` that have such an option.
Parsed parse(const std::vector<std::string>& arguments, const std::vector<Command>& commands,
             const std::vector<Option>& globals, const std::vector<Command>& all);

}  // namespace sextant::cli
