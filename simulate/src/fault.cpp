#include "sextant/simulate/fault.h"

namespace sextant {

#define X(stem) FaultInfo fault_##stem();
#include "builtin_faults.inc"
#undef X

const Registry<FaultInfo>& faults() {
  static const Registry<FaultInfo> registry = [] {
    std::vector<FaultInfo> list;
#define X(stem) list.push_back(fault_##stem());
#include "builtin_faults.inc"
#undef X
    return Registry<FaultInfo>("fault", std::move(list));
  }();
  return registry;
}

}  // namespace sextant
