// sextant: measures, predicts and plans deep-learning jobs. Everything is in the library; see cli/run.h.
#include <sys/ioctl.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "sextant/cli/run.h"

namespace {

int terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string program_path() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).string();
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const bool out_is_terminal = isatty(STDOUT_FILENO) != 0;
  const sextant::cli::Io io{std::cout,
                            std::cerr,
                            out_is_terminal,
                            isatty(STDERR_FILENO) != 0,
                            out_is_terminal ? terminal_width() : 0,
                            program_path()};
  return sextant::cli::run({argv + 1, argv + argc}, io);
}
