// Effective paths of a machine type, or of named links, for the plain formulas of collective.h: nominal
// bandwidth times the calibrated share of it, and the calibrated latency of a step.
#pragma once

#include <string>

#include "sextant/catalog/catalog.h"
#include "sextant/collectives/calibration.h"
#include "sextant/collectives/collective.h"

namespace sextant::collectives {

// `across` is one network card, or all cards together where the catalogue gives their sum; none without
// a network. Where NVLink joins pairs, `inside` is what joins the pairs. A machine with one GPU has an
// `inside` that no group uses.
Fabric fabric_of(const System& system, const Calibration& calibration = builtin_calibration());
Fabric fabric_of(const catalog::Catalog& catalog, const catalog::Machine& machine,
                 const Calibration& calibration = builtin_calibration());
// An empty network: none.
Fabric fabric_of(const catalog::Catalog& catalog, const std::string& link, const std::string& network,
                 const Calibration& calibration = builtin_calibration());

}  // namespace sextant::collectives
