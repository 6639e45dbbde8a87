// One node with least to spare; a gang that no node holds fills up the fullest nodes, and leaves whole nodes
// to others.
#include <algorithm>

#include "sextant/simulate/node_index.h"

namespace sextant::simulate::placement_best_fit {
namespace {

class BestFit final : public PlacementRule {
 public:
  void choose(const NodeIndex& nodes, std::int32_t gpus, std::vector<NodeShare>& out) const override {
    const ValueBuckets& by_free = nodes.by_free();
    if (gpus <= by_free.most()) {
      const std::int32_t fit = by_free.at_least(gpus);
      if (fit >= 0) {
        out.push_back({.node = by_free.first(fit), .gpus = gpus});
        return;
      }
    }
    for (std::int32_t free = by_free.at_least(1); gpus > 0; free = by_free.at_least(free + 1)) {
      for (std::int32_t node = by_free.first(free); node >= 0 && gpus > 0;
           node = by_free.first(free, node + 1)) {
        out.push_back({.node = node, .gpus = std::min(free, gpus)});
        gpus -= out.back().gpus;
      }
    }
  }
};

}  // namespace

std::vector<PlacementInfo> plugin() {
  return {{{.id = "best-fit",
            .summary = "the node with least to spare; larger gangs fill up the fullest nodes",
            .reference = "best fit of bin packing: Johnson et al., SIAM J. Comput. 3 (1974)"},
           {},
           []() -> std::unique_ptr<PlacementRule> { return std::make_unique<BestFit>(); }}};
}

}  // namespace sextant::simulate::placement_best_fit
