// Fewest racks, then fewest nodes: the rack with least to spare that holds the gang, else the emptiest racks;
// inside a rack the node that fits best, else the emptiest nodes.
#include <algorithm>

#include "sextant/simulate/node_index.h"

namespace sextant::simulate::placement_topology_aware {
namespace {

class TopologyAware final : public PlacementRule {
 public:
  void choose(const NodeIndex& nodes, std::int32_t gpus, std::vector<NodeShare>& out) const override {
    if (nodes.racks() == 1) return fill_rack(nodes, 0, gpus, out);
    const ValueBuckets& racks = nodes.racks_by_free();
    std::int32_t free = racks.most() + 1;
    for (std::int32_t rack = -1; gpus > 0; rack = racks.first(free, rack + 1)) {
      if (rack < 0) {
        free = racks.at_most(free - 1);
        rack = racks.first(free);
      }
      if (gpus <= free) {
        const std::int32_t fit = racks.at_least(gpus);
        return fill_rack(nodes, fit == free ? rack : racks.first(fit), gpus, out);
      }
      fill_rack(nodes, rack, free, out);
      gpus -= free;
    }
  }

 private:
  // The emptiest nodes of the rack, and at last the one with least to spare for what is left.
  static void fill_rack(const NodeIndex& nodes, std::int32_t rack, std::int32_t gpus,
                        std::vector<NodeShare>& out) {
    const ValueBuckets& by_free = nodes.by_free();
    const std::int32_t begin = nodes.rack_begin(rack);
    for (std::int32_t free = by_free.most(); gpus > 0 && free > 0; --free) {
      std::int32_t node = first_in(nodes, rack, free, begin);
      while (node >= 0 && free < gpus) {
        out.push_back({.node = node, .gpus = free});
        gpus -= free;
        node = first_in(nodes, rack, free, node + 1);
      }
      if (node < 0 || gpus == 0) continue;
      // One node is enough. Nodes with fewer free were not used yet, so any of them may be the last.
      for (std::int32_t fit = gpus; fit < free; ++fit) {
        const std::int32_t tighter = first_in(nodes, rack, fit, begin);
        if (tighter < 0) continue;
        node = tighter;
        break;
      }
      out.push_back({.node = node, .gpus = gpus});
      return;
    }
  }

  // Lowest node of the rack with that many free, `from` or above; -1: none.
  static std::int32_t first_in(const NodeIndex& nodes, std::int32_t rack, std::int32_t free,
                               std::int32_t from) {
    const std::int32_t node = nodes.by_free().first(free, from);
    return node >= 0 && nodes.rack_of(node) == rack ? node : -1;
  }
};

}  // namespace

std::vector<PlacementInfo> plugin() {
  return {{{.id = "topology-aware",
            .summary = "the fewest racks, then the fewest nodes",
            .reference = "Amaral et al., SC'17: Topology-aware GPU scheduling for learning workloads"},
           {"topology"},
           []() -> std::unique_ptr<PlacementRule> { return std::make_unique<TopologyAware>(); }}};
}

}  // namespace sextant::simulate::placement_topology_aware
