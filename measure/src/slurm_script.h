// The batch script of a trial, and what it leaves in the run folder.
//
//   batch.sh       the script
//   started        it runs
//   lease          a number that the driver raises; where it stands still the script ends the ranks
//   exit.launcher  how srun or mpirun ended
#pragma once

#include <string>

#include "sextant/measure/runner.h"

namespace sextant {

constexpr int kLeaseSeconds = 20;  // without a change until the script takes the driver for dead

std::string slurm_script(const RunRequest& request);

}  // namespace sextant
