// Which GPUs a gang gets: one file each in decide/simulate/placements. A rule chooses nodes of a type; the
// cluster keeps the counts. Counts always suffice, so a gang is spread over nodes rather than kept waiting,
// and runs slower.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/registry.h"

namespace sextant::simulate {

// Free GPUs of the nodes of one type: see node_index.h.
class NodeIndex;

struct NodeShare {
  std::int32_t node = 0;  // of the type, from 0
  std::int32_t gpus = 0;
};

class PlacementRule {
 public:
  virtual ~PlacementRule() = default;
  // Appends shares that add up to `gpus`; the index is not changed.
  virtual void choose(const NodeIndex& nodes, std::int32_t gpus, std::vector<NodeShare>& out) const = 0;
};

struct PlacementInfo : PluginInfo {
  static constexpr PluginKind kKind = {"placement", "placements", "which GPUs of a cluster a gang gets",
                                       "placement"};

  std::vector<std::string> aliases = {};
  std::unique_ptr<PlacementRule> (*make)() = nullptr;
};

// All files of decide/simulate/placements, sorted by id.
const Registry<PlacementInfo>& placements();

}  // namespace sextant::simulate
