// A command of the user's as a run: started here, by mpirun, or as a job of Slurm, with its output in a file,
// and ended with all that it started.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sextant::measure {

struct LaunchRequest {
  std::vector<std::string> command;  // the program first, as on a shell's line
  std::vector<std::pair<std::string, std::string>> environment = {};  // on top of this process's
  std::filesystem::path folder;           // of this run alone; with Slurm, one that all nodes see
  std::filesystem::path work;             // where the command runs
  std::string runner = "local";           // or mpi, slurm
  std::int64_t ranks = 1;                 // mpi, slurm: copies of the command
  std::int64_t cpus_per_rank = 1;         // slurm
  std::vector<std::string> options = {};  // of mpirun or sbatch, added as they are
};

class LaunchedCommand {
 public:
  virtual ~LaunchedCommand() = default;  // leaves nothing running
  // Nothing while it waits or runs; then once how it ended: "" well, "exit 3", "killed by signal 9 (Killed)".
  virtual std::optional<std::string> poll() = 0;
  // False while a queue holds it back: its time does not count yet.
  [[nodiscard]] virtual bool started() const { return true; }
  virtual void kill() = 0;  // and wait until it is gone
  // stdout and stderr.
  [[nodiscard]] virtual std::filesystem::path log() const = 0;
};

// Why no command can be launched so here; empty: it can. InputError for a runner that does not exist.
std::vector<std::string> launch_obstacles(const std::string& runner);

// SystemError where it cannot be started. The calling thread must outlive the command: see child_process.h.
std::unique_ptr<LaunchedCommand> launch_command(const LaunchRequest& request);

}  // namespace sextant::measure
