// Runs shell commands in a scratch folder, in an environment that does not depend on the caller's.
#pragma once

#include <filesystem>
#include <string>

namespace sextant::test {

struct ShellResult {
  int exit_status = 0;
  std::string output;
};

// Puts the program's folder first in PATH and drops whatever could change its output.
void isolate_environment(const std::filesystem::path& program, const std::filesystem::path& home);

// Standard output; add "2>&1" to the command for errors too. Throws std::runtime_error without a shell.
ShellResult run_shell(const std::string& command, const std::filesystem::path& folder);

}  // namespace sextant::test
