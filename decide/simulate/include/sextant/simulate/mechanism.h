// When a policy is asked and what its answers mean, one file each in decide/simulate/mechanisms: at every
// event, in rounds on top of events, or in Gavel's own rounds.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/simulate/run.h"

namespace sextant::simulate {

struct MechanismInfo : PluginInfo {
  static constexpr PluginKind kKind = {"mechanism", "mechanisms",
                                       "when a policy of a simulated cluster is asked", "mechanism"};
  std::vector<std::string> aliases = {};
  // InputError for a policy that it cannot ask.
  RunResult (*run)(const JobSet&, const clusters::Cluster&, const RunOptions&) = nullptr;
};

// All files of decide/simulate/mechanisms, sorted by id.
const Registry<MechanismInfo>& mechanisms();

}  // namespace sextant::simulate
