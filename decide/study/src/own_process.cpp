#include "own_process.h"

#include <csignal>
#include <thread>

namespace sextant::study {
namespace {

using std::chrono::steady_clock;

constexpr auto kPause = std::chrono::milliseconds(5);

}  // namespace

// The kernel kills it when this process dies; what it starts dies with it.
OwnProcess::OwnProcess(const std::vector<std::string>& command, std::chrono::milliseconds patience)
    : patience_(patience),
      folder_(std::filesystem::temp_directory_path(), /*keep=*/false),
      child_({.command = command, .log = answer(), .errors = log()}) {}

void OwnProcess::kill() {
  if (patience_.count() > 0) child_.signal(SIGINT);
  const auto until = steady_clock::now() + patience_;
  while (child_.running() && steady_clock::now() < until) {
    child_.poll();
    std::this_thread::sleep_for(kPause);
  }
  child_.kill();
}

}  // namespace sextant::study
