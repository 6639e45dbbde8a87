#include "sextant/measure/launched_command.h"

#include <algorithm>
#include <csignal>
#include <iterator>

#include "loopback_only.h"
#include "mpirun_child.h"
#include "rank_shell.h"
#include "sextant/core/error.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/process_state.h"
#include "sextant/measure/runner.h"
#include "slurm_job.h"
#include "slurm_script.h"

namespace sextant::measure {
namespace {

// The shell that stays beside the command: when this process dies, the kernel tells the shell, and it ends
// the whole group, which the kernel would not. $1 is the folder, the rest the command.
constexpr const char* kGuard = "cd \"$1\" || exit 126; shift; trap 'kill -KILL 0' TERM; \"$@\" & wait $!";

class LocalCommand final : public LaunchedCommand {
 public:
  explicit LocalCommand(const LaunchRequest& request) : log_(request.folder / "log"), child_(spec(request)) {}

  std::optional<std::string> poll() override {
    const std::optional<std::string> ending = child_.poll();
    return ending ? std::optional(shell_ending(*ending)) : std::nullopt;
  }
  // Also what left the group.
  void kill() override {
    if (!child_.running()) return;
    const std::vector<std::int64_t> started = descendants(child_.pid());
    child_.kill();
    for (const std::int64_t pid : started) ::kill(static_cast<pid_t>(pid), SIGKILL);
  }
  [[nodiscard]] std::filesystem::path log() const override { return log_; }

 private:
  static ChildSpec spec(const LaunchRequest& request) {
    std::vector<std::string> words = {"/bin/sh", "-c", kGuard, "sh", request.work.string()};
    words.insert(words.end(), request.command.begin(), request.command.end());
    return {.command = std::move(words),
            .environment = request.environment,
            .log = request.folder / "log",
            .signal_of_death = SIGTERM};
  }

  std::filesystem::path log_;
  ChildProcess child_;
};

class MpiCommand final : public LaunchedCommand {
 public:
  explicit MpiCommand(const LaunchRequest& request) : log_(request.folder / "log"), child_(spec(request)) {}

  std::optional<std::string> poll() override { return child_.poll(); }
  void kill() override { child_.end(); }
  [[nodiscard]] std::filesystem::path log() const override { return log_; }

 private:
  static ChildSpec spec(const LaunchRequest& request) {
    const auto program = find_program("mpirun");
    if (!program) throw SystemError("mpirun is not installed");
    std::vector<std::string> words = {
        program->string(), "--allow-run-as-root", "--oversubscribe", "-np", std::to_string(request.ranks),
        "--wdir",          request.work.string()};
    auto environment = request.environment;
    const bool here = !names_other_hosts(request.options);
    if (here) {
      environment.push_back(loopback_variable());
      words.insert(words.end(), {"--mca", "oob_tcp_if_include", "lo"});
    }
    words.insert(words.end(), request.options.begin(), request.options.end());
    if (here) std::ranges::copy(without_loopback_variable(), std::back_inserter(words));
    words.insert(words.end(), request.command.begin(), request.command.end());
    return {.command = std::move(words),
            .environment = std::move(environment),
            .log = request.folder / "log",
            .signal_of_death = SIGTERM};
  }

  std::filesystem::path log_;
  MpirunChild child_;
};

class SlurmCommand final : public LaunchedCommand {
 public:
  explicit SlurmCommand(const LaunchRequest& request)
      : log_(request.folder / "log.launcher"), job_(request.folder, script(request), request.options) {}

  std::optional<std::string> poll() override {
    const auto ending = job_.poll();
    if (!ending) return {};
    if (!ending->status) return "the Slurm job " + job_.id() + " ended: " + ending->gone;
    return shell_ending(exit_text(*ending->status));
  }
  [[nodiscard]] bool started() const override { return job_.started(); }
  void kill() override { job_.end(); }
  [[nodiscard]] std::filesystem::path log() const override { return log_; }

 private:
  static std::string script(const LaunchRequest& request) {
    std::vector<std::string> words = {"srun", "--kill-on-bad-exit=1", "--export=ALL",
                                      "--ntasks=" + std::to_string(request.ranks),
                                      "--cpus-per-task=" + std::to_string(request.cpus_per_rank)};
    words.push_back("--chdir=" + request.work.string());
    words.insert(words.end(), request.command.begin(), request.command.end());
    return batch_script({.folder = request.folder,
                         .tasks = request.ranks,
                         .cpus_per_task = request.cpus_per_rank,
                         .environment = request.environment,
                         .launch = shell_line(words)});
  }

  std::filesystem::path log_;
  SlurmJob job_;
};

}  // namespace

std::vector<std::string> launch_obstacles(const std::string& runner) {
  const std::string id = runners().get(runner, {"runner"}).id;
  if (id == "slurm") return slurm_obstacles();
  if (id == "mpi" && !find_program("mpirun")) {
    return {"MPI is not installed: there is no mpirun on PATH (Debian: openmpi-bin)"};
  }
  return {};
}

std::unique_ptr<LaunchedCommand> launch_command(const LaunchRequest& request) {
  const std::string id = runners().get(request.runner, {"runner"}).id;
  if (id == "local") return std::make_unique<LocalCommand>(request);
  if (id == "mpi") return std::make_unique<MpiCommand>(request);
  if (id == "slurm") return std::make_unique<SlurmCommand>(request);
  throw InputError({"runner"}, "commands cannot be started by '" + id + "'", "local, mpi or slurm");
}

}  // namespace sextant::measure
