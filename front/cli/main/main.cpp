// sextant: measures, predicts and plans deep-learning jobs. Everything is in the library; see cli/run.h.
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "sextant/cli/run.h"
#include "sextant/core/text.h"

namespace {

constexpr int kWidest = 100000;  // columns of a terminal that somebody may mean

// What COLUMNS says, which counts for pipes too; else what the terminal says; else 0.
int width_of(int stream) {
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr) {
    if (const auto width = sextant::to_integer(columns); width && *width > 0 && *width < kWidest) {
      return static_cast<int>(*width);
    }
  }
  winsize size{};
  return isatty(stream) != 0 && ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string program_path() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).string();
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const sextant::cli::Io io{std::cout,
                            std::cerr,
                            isatty(STDOUT_FILENO) != 0,
                            isatty(STDERR_FILENO) != 0,
                            width_of(STDOUT_FILENO),
                            width_of(STDERR_FILENO),
                            program_path()};
  return sextant::cli::run({argv + 1, argv + argc}, io);
}
