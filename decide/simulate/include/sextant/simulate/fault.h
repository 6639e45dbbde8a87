// What goes wrong in a cluster, one file each in decide/simulate/faults. A fault is a process over nodes: it
// says when a node goes down next and for how long. Each node draws from its own stream, so a policy never
// changes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/core/rng.h"

namespace sextant::simulate {

struct Outage {
  double at_s = 0;  // infinite: never
  double until_s = 0;
};

class FaultProcess {
 public:
  virtual ~FaultProcess() = default;
  // The first outage of a node after now_s, when the node is up.
  virtual Outage next(std::int64_t node, double now_s) = 0;
  // Mean time between outages of one node, for checkpoint intervals; infinite: none.
  [[nodiscard]] virtual double mean_time_between_s() const = 0;
};

struct FaultSetup {
  Parameters parameters = {};
  std::int64_t nodes = 0;
  Rng rng{0};  // of this fault in this run
};

struct FaultInfo : PluginInfo {
  static constexpr PluginKind kKind = {"fault", "faults", "what goes wrong in a simulated cluster", "fault"};

  std::vector<std::string> aliases = {};
  std::unique_ptr<FaultProcess> (*make)(const FaultSetup&) = nullptr;
};

// All files of decide/simulate/faults, sorted by id.
const Registry<FaultInfo>& faults();

}  // namespace sextant::simulate
