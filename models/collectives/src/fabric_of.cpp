#include "sextant/collectives/fabric_of.h"

namespace sextant::collectives {
namespace {

// A ring of two has two steps, and half of the start goes with each.
Path path_of(const LinkUse& use, double correction, const Calibration& calibration) {
  const WireCoefficients& w = calibration.wires.at(static_cast<std::size_t>(use.wire));
  return {.latency = Seconds{w.step + w.start / 2}, .bandwidth = w.efficiency * correction * use.bandwidth};
}

}  // namespace

Fabric fabric_of(const System& system, const Calibration& calibration) {
  SystemCorrection c;
  if (const auto it = calibration.systems.find(fold_name(system.id)); it != calibration.systems.end()) {
    c = it->second;
  }
  Fabric fabric{.inside = system.pairs ? path_of(*system.pairs, c.pairs, calibration)
                                       : path_of(system.inside, c.inside, calibration)};
  fabric.inside.reduces = reduces_in_switch(system);
  if (system.network) fabric.across = path_of(*system.network, c.network * c.reduce, calibration);
  return fabric;
}

Fabric fabric_of(const catalog::Catalog& catalog, const catalog::Machine& machine,
                 const Calibration& calibration) {
  return fabric_of(system_of(catalog, machine), calibration);
}

Fabric fabric_of(const catalog::Catalog& catalog, const std::string& link, const std::string& network,
                 const Calibration& calibration) {
  return fabric_of(system_of(catalog, link, network), calibration);
}

}  // namespace sextant::collectives
