// A process that the driver started: in a group of its own, so that a key pressed at the terminal reaches the
// driver alone; ended by the kernel if the driver dies first; killed and waited for by the destructor.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sextant::measure {

struct ChildSpec {
  std::vector<std::string> command;                                   // the program's path first
  std::vector<std::pair<std::string, std::string>> environment = {};  // on top of the driver's
  std::filesystem::path log;                                          // stdout and stderr
  std::filesystem::path errors = {};                                  // stderr, where it is to be apart
  int signal_of_death = 9;                                            // sent to it when the driver dies
};

class ChildProcess {
 public:
  // SystemError where it cannot be started. To be called on a thread that lives as long as the child: the
  // kernel takes the end of that thread for the end of the driver.
  explicit ChildProcess(const ChildSpec& spec);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] bool running() const { return pid_ > 0; }
  [[nodiscard]] pid_t pid() const { return pid_; }  // 0 once it is gone
  // Nothing while it runs; then once how it ended: "" well, "exit 3", "killed by signal 9 (Killed)".
  std::optional<std::string> poll();
  void signal(int number) const;  // to it alone
  void kill();                    // it and its group, and wait

 private:
  pid_t pid_ = 0;
};

// How a process ended, by the status that wait() gives.
std::string ending_text(int status);
std::string exit_text(int code);
std::string signal_text(int number);

struct CommandResult {
  std::string ending;  // empty: it ended well
  std::string output;  // what it wrote to stdout and stderr
};
// Runs a program of the system (found on PATH) to its end, at most `timeout_s`.
CommandResult run_command(const std::vector<std::string>& command, double timeout_s = 30);

// The program's path by PATH, or nothing.
std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace sextant::measure
