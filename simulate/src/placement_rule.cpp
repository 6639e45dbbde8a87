#include "sextant/simulate/placement_rule.h"

namespace sextant {

#define X(stem) PlacementInfo placement_##stem();
#include "builtin_placements.inc"
#undef X

const Registry<PlacementInfo>& placements() {
  static const Registry<PlacementInfo> registry = [] {
    std::vector<PlacementInfo> list;
#define X(stem) list.push_back(placement_##stem());
#include "builtin_placements.inc"
#undef X
    return Registry<PlacementInfo>("placement", std::move(list));
  }();
  return registry;
}

}  // namespace sextant
