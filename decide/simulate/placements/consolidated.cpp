// A node with exactly as many free GPUs, else the one with least to spare, else as few nodes as possible.
#include "sextant/simulate/node_index.h"

namespace sextant::simulate::placement_consolidated {
namespace {

class Consolidated final : public PlacementRule {
 public:
  void choose(const NodeIndex& nodes, std::int32_t gpus, std::vector<NodeShare>& out) const override {
    const ValueBuckets& by_free = nodes.by_free();
    std::int32_t free = by_free.most() + 1;
    for (std::int32_t node = -1; gpus > 0; node = by_free.first(free, node + 1)) {
      if (node < 0) {  // the next emptiest nodes
        free = by_free.at_most(free - 1);
        node = by_free.first(free);
      }
      if (gpus <= free) {
        const std::int32_t fit = by_free.at_least(gpus);
        out.push_back({.node = fit == free ? node : by_free.first(fit), .gpus = gpus});
        return;
      }
      out.push_back({.node = node, .gpus = free});
      gpus -= free;
    }
  }
};

}  // namespace

std::vector<PlacementInfo> plugin() {
  return {{{.id = "consolidated",
            .summary = "the node that fits exactly, else the one with least to spare, else the fewest nodes",
            .reference = "Tiresias (NSDI'19) and Gavel (OSDI'20) consolidate gangs"},
           {"packed"},
           []() -> std::unique_ptr<PlacementRule> { return std::make_unique<Consolidated>(); }}};
}

}  // namespace sextant::simulate::placement_consolidated
