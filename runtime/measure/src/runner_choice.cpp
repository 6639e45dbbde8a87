#include "sextant/measure/runner_choice.h"

#include "sextant/core/error.h"
#include "sextant/measure/transport.h"
#include "trial_layout.h"

namespace sextant::measure {

namespace fs = std::filesystem;

const RunnerInfo& chosen_runner(const Trial& trial, const SuperviseOptions& options) {
  if (options.runner != "auto") return runners().get(options.runner, at_field("runner"));
  const bool mpi = transports().get(trial.transport, at_field("transport")).mpi;
  return runners().get(mpi && has_processes_that_talk(trial) ? "mpi" : "local");
}

fs::path chosen_scratch(const RunnerInfo& runner, const SuperviseOptions& options) {
  std::error_code error;
  fs::path folder = options.scratch;
  if (folder.empty())
    folder = runner.id == "slurm" ? fs::current_path(error) : fs::temp_directory_path(error);
  if (!error) folder = fs::absolute(folder, error);
  if (error) throw SystemError("there is no folder for the files of the run: " + error.message());
  return folder;
}

}  // namespace sextant::measure
