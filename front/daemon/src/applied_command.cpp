#include "applied_command.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "sextant/core/error.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/file_descriptor.h"

namespace sextant::daemon {
namespace {

constexpr int kLockInChild = 3;
constexpr std::size_t kMostOutput = 1U << 20U;

using measure::FileDescriptor;

// Files without a place: what a command writes without limit or leaves behind harms nobody.
FileDescriptor memory_file(const std::string& text) {
  FileDescriptor file(::memfd_create("sextant-command", MFD_CLOEXEC));
  if (!file.open())
    throw SystemError(std::string("the kernel gives no file in memory: ") + std::strerror(errno));
  for (std::size_t done = 0; done < text.size();) {
    const auto now = ::write(file.get(), text.data() + done, text.size() - done);
    if (now <= 0) throw SystemError(std::string("a file in memory takes no text: ") + std::strerror(errno));
    done += static_cast<std::size_t>(now);
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

std::string text_of(const FileDescriptor& file) {
  std::string text;
  std::array<char, 4096> part{};
  ::lseek(file.get(), 0, SEEK_SET);
  for (ssize_t got = 0;
       text.size() < kMostOutput && (got = ::read(file.get(), part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return text;
}

struct SpawnPlan {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t usual;
    ::sigemptyset(&none);
    ::sigemptyset(&usual);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) ::sigaddset(&usual, number);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &usual);
    // A group of its own: a key at the terminal reaches the daemon alone.
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
};

int exit_code(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

CommandEnd wait_for(pid_t pid, double timeout_s) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeout_s);
  CommandEnd result;
  int status = 0;
  for (auto pause = std::chrono::microseconds(200);;
       pause = std::min(2 * pause, std::chrono::microseconds(20000))) {
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) break;
    if (result.in_time && std::chrono::steady_clock::now() >= end) {
      result.in_time = false;
      ::kill(-pid, SIGKILL);
    }
    std::this_thread::sleep_for(pause);
  }
  result.code = exit_code(status);
  return result;
}

}  // namespace

CommandEnd run_applied(const AppliedCommand& command) {
  const auto program = measure::find_program(command.words.at(0));
  if (!program) throw SystemError(command.words[0] + " is not there, or cannot be run");
  const FileDescriptor input = memory_file(command.input);
  const FileDescriptor output = memory_file("");
  const FileDescriptor errors = memory_file("");
  SpawnPlan plan;
  ::posix_spawn_file_actions_adddup2(&plan.actions, input.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&plan.actions, output.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&plan.actions, errors.get(), STDERR_FILENO);
  if (command.lock >= 0) ::posix_spawn_file_actions_adddup2(&plan.actions, command.lock, kLockInChild);
  // Libraries open sockets without a mark: a command that inherits them keeps a dead daemon's port.
  ::posix_spawn_file_actions_addclosefrom_np(&plan.actions,
                                             command.lock >= 0 ? kLockInChild + 1 : kLockInChild);
  std::vector<std::string> words = command.words;
  words[0] = program->string();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int fault =
      ::posix_spawn(&pid, words[0].c_str(), &plan.actions, &plan.attributes, arguments.data(), environ);
  if (fault != 0) throw SystemError(words[0] + ": cannot be started: " + std::strerror(fault));
  CommandEnd end = wait_for(pid, command.timeout_s);
  end.output = text_of(output);
  end.errors = text_of(errors);
  return end;
}

}  // namespace sextant::daemon
