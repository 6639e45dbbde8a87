#include "loopback_only.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "sextant/core/on_demand.h"

namespace sextant::measure {
namespace {

constexpr const char* kPreload = "LD_PRELOAD";

std::string preloaded_by_others() {
  const char* value = std::getenv(kPreload);
  return value == nullptr ? "" : value;
}

}  // namespace

std::pair<std::string, std::string> loopback_variable() {
  const std::string others = preloaded_by_others();
  const std::string own = own_file("sextant-loopback.so").string();
  return {kPreload, others.empty() ? own : own + ":" + others};
}

std::vector<std::string> without_loopback_variable() {
  const std::string others = preloaded_by_others();
  if (others.empty()) return {"env", "-u", kPreload};
  return {"env", std::string(kPreload) + "=" + others};
}

bool names_other_hosts(const std::vector<std::string>& mpirun_options) {
  constexpr std::array<std::string_view, 9> kHosts = {
      "-H",         "-host",        "--host",        "-hostfile",
      "--hostfile", "-machinefile", "--machinefile", "--default-hostfile",
      "--rankfile"};
  // mpirun takes the nodes of an allocation by itself.
  constexpr std::array kAllocations = {"SLURM_JOB_ID", "PBS_NODEFILE", "LSB_JOBID",
                                       "OMPI_MCA_orte_default_hostfile"};
  const auto set = [](const char* name) { return std::getenv(name) != nullptr; };
  return std::ranges::any_of(kAllocations, set) ||
         std::ranges::any_of(mpirun_options, [&](const std::string& option) {
           return std::ranges::find(kHosts, option) != kHosts.end();
         });
}

}  // namespace sextant::measure
