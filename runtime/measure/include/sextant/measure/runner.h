// Runners start the processes of a trial somewhere, one file each in runtime/measure/runners: as local
// processes, by mpirun, by Slurm. They know nothing of what runs: everything else goes through the run
// folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/measure/run_folder.h"
#include "sextant/measure/trial.h"

namespace sextant::measure {

struct RunRequest {
  const Trial& trial;
  RunFolder folder;
  std::filesystem::path worker;  // the program sextant-worker
  // Each process is started through this command, in which "{rank}" is its number; empty: by itself.
  std::vector<std::string> wrapper = {};
};

struct Ended {
  std::int64_t rank = 0;  // -1: the launcher itself, all ranks are gone
  std::string what;       // empty: it ended well
};

// Processes of one attempt. The destructor leaves nothing running.
class Processes {
 public:
  virtual ~Processes() = default;
  virtual std::vector<Ended> poll() = 0;  // since the last call
  [[nodiscard]] virtual bool running() const = 0;
  // False while a queue holds them back: nobody expects signs of life yet.
  [[nodiscard]] virtual bool started() const { return true; }
  virtual void kill() = 0;  // and wait until they are gone
};

struct RunnerInfo : PluginInfo {
  static constexpr PluginKind kKind = {"runner", "runners", "who starts the processes of a measured job",
                                       "runner"};

  std::vector<std::string> aliases = {};
  // Problems that make a start pointless ("mpirun is not installed"), each a sentence with a hint; empty:
  // fine.
  std::vector<std::string> (*problems)(const Trial&) = nullptr;
  std::unique_ptr<Processes> (*start)(const RunRequest&) = nullptr;
};

// All files of runtime/measure/runners, sorted by id: local, mpi, slurm.
const Registry<RunnerInfo>& runners();

}  // namespace sextant::measure
