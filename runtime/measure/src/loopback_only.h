// Runs of this machine alone are open to nobody else: what mpirun and its ranks listen on is the loopback.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sextant::measure {

// For the environment of mpirun: LD_PRELOAD with sextant-loopback.so before what is there already.
std::pair<std::string, std::string> loopback_variable();
// Takes it away again from a command that is not ours.
std::vector<std::string> without_loopback_variable();

// Do options of mpirun, or the environment, spread ranks over several machines?
bool names_other_hosts(const std::vector<std::string>& mpirun_options);

}  // namespace sextant::measure
