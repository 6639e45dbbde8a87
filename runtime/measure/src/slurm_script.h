// The batch script of a trial or a command, and what it leaves in the run folder.
//
//   batch.sh       the script
//   started        it runs
//   lease          a number that the driver raises; where it stands still the script ends the ranks
//   exit.launcher  how srun or mpirun ended
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sextant/measure/runner.h"

namespace sextant::measure {

constexpr int kLeaseSeconds = 20;  // without a change until the script takes the driver for dead

std::string slurm_script(const RunRequest& request);

// The same around any launcher.
struct BatchScript {
  std::filesystem::path folder;
  std::int64_t tasks = 1;
  std::int64_t cpus_per_task = 1;
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string launch;  // a line of shell
};
std::string batch_script(const BatchScript& script);

}  // namespace sextant::measure
