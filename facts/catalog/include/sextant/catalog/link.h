// Ways for devices to talk: inside a machine (NVLink, PCIe, Infinity Fabric) and between machines
// (Ethernet, EFA, InfiniBand). Bandwidth and latency of the alpha-beta model (Hockney 1994).
#pragma once

#include <string>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::catalog {

enum class LinkKind { intra_node, network };

struct Link {
  std::string id;    // "nvlink-2"
  std::string name;  // "NVLink 2"
  std::vector<std::string> aliases;
  LinkKind kind = LinkKind::intra_node;
  Bandwidth bandwidth;  // per direction, nominal
  Seconds latency;      // one way, of a small message

  std::string source;
  std::string date;
  std::string notes;
};

// "intra-node" or "network", as the files write it.
std::string to_text(LinkKind);

}  // namespace sextant::catalog
