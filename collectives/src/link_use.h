// A link of the catalogue with its kind of wire.
#pragma once

#include "sextant/collectives/system.h"

namespace sextant {

LinkUse link_use(const Link& link);

}  // namespace sextant
