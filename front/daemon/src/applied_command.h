// A command of the system, run to its end without a shell: words as they are, text on its input, output taken
// back. It outlives the daemon: whoever is killed leaves it running, and the next daemon waits for it by the
// lock that it holds.
#pragma once

#include <string>
#include <vector>

namespace sextant::daemon {

struct AppliedCommand {
  std::vector<std::string> words;
  std::string input = {};
  int lock = -1;
  double timeout_s = 60;
};

struct CommandEnd {
  int code = 0;  // 128 + the signal that killed it
  bool in_time = true;
  std::string output = {};  // what it printed
  std::string errors = {};  // and complained about
};

// SystemError where it cannot be started.
CommandEnd run_applied(const AppliedCommand& command);

}  // namespace sextant::daemon
