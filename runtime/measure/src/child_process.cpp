#include "sextant/measure/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/measure/file_descriptor.h"

namespace sextant::measure {
namespace {

namespace fs = std::filesystem;

// The driver's variables with others on top, as exec wants them. Made before the fork: afterwards nothing may
// allocate.
class Arguments {
 public:
  explicit Arguments(const ChildSpec& spec) : command_(spec.command) {
    std::map<std::string, std::string> variables;
    for (char** at = environ; *at != nullptr; ++at) {
      const std::string_view entry(*at);
      const std::size_t equals = entry.find('=');
      if (equals != std::string_view::npos) variables[std::string(entry.substr(0, equals))] = entry;
    }
    for (const auto& [name, value] : spec.environment) {
      variables[name] = std::string(name).append("=").append(value);
    }
    for (auto& [name, entry] : variables) environment_.push_back(std::move(entry));
    for (std::string& word : command_) words_.push_back(word.data());
    for (std::string& entry : environment_) entries_.push_back(entry.data());
    words_.push_back(nullptr);
    entries_.push_back(nullptr);
  }
  [[nodiscard]] char* const* words() const { return words_.data(); }
  [[nodiscard]] char* const* entries() const { return entries_.data(); }

 private:
  std::vector<std::string> command_;
  std::vector<std::string> environment_;
  std::vector<char*> words_;
  std::vector<char*> entries_;
};

struct ChildFiles {
  int nothing;  // stdin
  int log;
  int errors;
  int report;  // closed by a successful exec; else gets the reason
};

// In the child, between fork and exec: system calls only.
[[noreturn]] void become(const Arguments& arguments, const ChildFiles& files, pid_t parent, int signal) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, signal);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int ignored : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT}) ::signal(ignored, SIG_DFL);
  ::dup2(files.nothing, STDIN_FILENO);
  ::dup2(files.log, STDOUT_FILENO);
  ::dup2(files.errors, STDERR_FILENO);
  // What other libraries opened without a mark must not reach the worker.
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  ::execve(arguments.words()[0], arguments.words(), arguments.entries());
  const int reason = errno;
  if (::write(files.report, &reason, sizeof reason) < 0) ::_exit(126);
  ::_exit(127);
}

FileDescriptor output_file(const fs::path& path) {
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file.open()) throw SystemError(path.string() + ": cannot be written: " + std::strerror(errno));
  return file;
}

}  // namespace

ChildProcess::ChildProcess(const ChildSpec& spec) {
  const Arguments arguments(spec);
  const FileDescriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const FileDescriptor log = output_file(spec.log);
  const FileDescriptor errors = spec.errors.empty() ? FileDescriptor() : output_file(spec.errors);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw SystemError(std::string("the kernel gives no pipe: ") + std::strerror(errno));
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) {
    pid_ = 0;
    throw SystemError(std::string("cannot start another process: ") + std::strerror(errno));
  }
  if (pid_ == 0) {
    const int stderr_file = errors.open() ? errors.get() : log.get();
    become(arguments, {nothing.get(), log.get(), stderr_file, to.get()}, parent, spec.signal_of_death);
  }
  ::setpgid(pid_, pid_);  // here too: whoever comes first
  to = FileDescriptor();
  int reason = 0;
  if (::read(from.get(), &reason, sizeof reason) == sizeof reason) {
    kill();
    throw SystemError(spec.command.at(0) + ": cannot be started: " + std::strerror(reason));
  }
}

ChildProcess::~ChildProcess() {
  kill();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  return *this;
}

std::optional<std::string> ChildProcess::poll() {
  if (pid_ <= 0) return {};
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return {};
  ::kill(-std::exchange(pid_, 0), SIGKILL);  // what it may have left in its group
  return ending_text(status);
}

void ChildProcess::signal(int number) const {
  if (pid_ > 0) ::kill(pid_, number);
}

void ChildProcess::kill() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

std::string exit_text(int code) {
  return code == 0 ? "" : "exit " + std::to_string(code);
}

std::string signal_text(int number) {
  const char* description = ::sigdescr_np(number);
  return "killed by signal " + std::to_string(number) +
         (description == nullptr ? "" : " (" + std::string(description) + ")");
}

std::string ending_text(int status) {
  return WIFSIGNALED(status) ? signal_text(WTERMSIG(status)) : exit_text(WEXITSTATUS(status));
}

CommandResult run_command(const std::vector<std::string>& command, double timeout_s) {
  const auto program = find_program(command.at(0));
  if (!program) return {.ending = command[0] + " is not installed", .output = {}};
  std::string name = (fs::temp_directory_path() / "sextant-command-XXXXXX").string();
  const FileDescriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.open()) throw SystemError(name + ": cannot be made: " + std::strerror(errno));
  ::unlink(name.c_str());  // at once: whoever is killed leaves nothing
  const std::string log = "/proc/self/fd/" + std::to_string(file.get());
  std::vector<std::string> words = command;
  words[0] = program->string();
  std::optional<std::string> ending;
  {
    ChildProcess child({.command = words, .log = log});
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeout_s);
    while (!(ending = child.poll()) && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  CommandResult result{.ending = ending.value_or("it gave no answer in " + number_text(timeout_s) + " s"),
                       .output = read_text_file(log)};
  return result;
}

std::optional<fs::path> find_program(const std::string& name) {
  const auto runs = [](const fs::path& path) {
    return fs::is_regular_file(path) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return runs(name) ? std::optional<fs::path>(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    if (!folder.empty() && runs(fs::path(folder) / name)) return fs::path(folder) / name;
  }
  return {};
}

}  // namespace sextant::measure
