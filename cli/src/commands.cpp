#include <algorithm>

#include "sextant/cli/command.h"

namespace sextant {

#define X(stem) std::vector<Command> command_##stem();
#include "builtin_commands.inc"
#undef X

std::vector<Command> all_commands() {
  std::vector<Command> all;
  const auto append = [&](std::vector<Command> some) { std::ranges::move(some, std::back_inserter(all)); };
#define X(stem) append(command_##stem());
#include "builtin_commands.inc"
#undef X
  std::ranges::sort(all, {}, &Command::path);
  return all;
}

}  // namespace sextant
