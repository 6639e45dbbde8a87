// Who starts the processes of a trial, and where their files go.
#pragma once

#include "sextant/measure/supervisor.h"

namespace sextant::measure {

// The one that is named; "auto": mpi for MPI's transports, else local.
const RunnerInfo& chosen_runner(const Trial& trial, const SuperviseOptions& options);

// The folder that is named; else the working folder for Slurm, because nodes share it more often than any
// other, and the system's folder for temporary files on this machine.
std::filesystem::path chosen_scratch(const RunnerInfo& runner, const SuperviseOptions& options);

}  // namespace sextant::measure
