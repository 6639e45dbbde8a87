// GPU by GPU from the node that has most free at that moment, the lowest first: round robin on an empty
// cluster. Evens out load and heat, and splits gangs.
#include <algorithm>

#include "sextant/simulate/node_index.h"

namespace sextant::simulate::placement_spread {
namespace {

class Spread final : public PlacementRule {
 public:
  void choose(const NodeIndex& nodes, std::int32_t gpus, std::vector<NodeShare>& out) const override {
    const ValueBuckets& by_free = nodes.by_free();
    const std::ptrdiff_t begin = std::ssize(out);
    // At each level, the new part of `out` holds nodes that have as many free as the level, after what was
    // taken of them.
    for (std::int32_t level = by_free.at_most(by_free.most()); gpus > 0; --level) {
      const auto candidates = static_cast<std::size_t>(gpus);
      std::size_t fresh = 0;
      for (std::int32_t node = by_free.first(level); node >= 0 && fresh < candidates;
           node = by_free.first(level, node + 1), ++fresh) {
        out.push_back({.node = node, .gpus = 0});
      }
      const std::span<NodeShare> group = std::span(out).subspan(static_cast<std::size_t>(begin));
      std::ranges::sort(group, {}, &NodeShare::node);
      const std::size_t turn = std::min(candidates, group.size());
      for (NodeShare& share : group.first(turn)) ++share.gpus;
      gpus -= static_cast<std::int32_t>(turn);
    }
    const auto unused = std::remove_if(out.begin() + begin, out.end(),
                                       [](const NodeShare& share) { return share.gpus == 0; });
    out.erase(unused, out.end());
  }
};

}  // namespace

std::vector<PlacementInfo> plugin() {
  return {{{.id = "spread",
            .summary = "GPU by GPU from the node that has most free",
            .reference = "worst fit of bin packing: Johnson et al., SIAM J. Comput. 3 (1974)"},
           {"round-robin"},
           []() -> std::unique_ptr<PlacementRule> { return std::make_unique<Spread>(); }}};
}

}  // namespace sextant::simulate::placement_spread
