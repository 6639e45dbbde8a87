#include "sextant/explore/design.h"

namespace sextant {

#define X(stem) DesignInfo design_##stem();
#include "builtin_designs.inc"
#undef X

const Registry<DesignInfo>& designs() {
  static const Registry<DesignInfo> all = [] {
    std::vector<DesignInfo> list;
#define X(stem) list.push_back(design_##stem());
#include "builtin_designs.inc"
#undef X
    return Registry<DesignInfo>("design", std::move(list));
  }();
  return all;
}

}  // namespace sextant
