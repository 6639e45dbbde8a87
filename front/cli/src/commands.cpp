#include <algorithm>

#include "sextant/cli/command.h"

namespace sextant::cli {

std::vector<Command> builtin_commands();  // made by sextant_plugins(): the files of front/cli/commands

std::vector<Command> all_commands() {
  std::vector<Command> all = builtin_commands();
  std::ranges::sort(all, {}, &Command::path);
  return all;
}

}  // namespace sextant::cli
