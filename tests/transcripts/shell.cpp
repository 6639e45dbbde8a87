#include "shell.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace sextant::test {
namespace {

std::vector<std::string> variables_with_prefix(std::string_view prefix) {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with(prefix)) names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

}  // namespace

void isolate_environment(const std::filesystem::path& program, const std::filesystem::path& home) {
  for (const auto& name : variables_with_prefix("SEXTANT_")) unsetenv(name.c_str());
  for (const char* name : {"COLUMNS", "NO_COLOR", "XDG_CONFIG_HOME"}) unsetenv(name);
  const char* path = std::getenv("PATH");
  const std::string search =
      program.parent_path().string() + ":" + (path != nullptr ? path : "/usr/bin:/bin");
  setenv("PATH", search.c_str(), 1);
  setenv("HOME", home.c_str(), 1);
  setenv("LC_ALL", "C.UTF-8", 1);
  setenv("TZ", "UTC", 1);
}

ShellResult run_shell(const std::string& command, const std::filesystem::path& folder) {
  std::filesystem::current_path(folder);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start a shell");
  ShellResult result;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    result.output.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace sextant::test
