// A link of the catalogue with its kind of wire.
#pragma once

#include "sextant/collectives/system.h"

namespace sextant::collectives {

LinkUse link_use(const catalog::Link& link);

}  // namespace sextant::collectives
