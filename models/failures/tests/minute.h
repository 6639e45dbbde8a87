#pragma once

#include "sextant/core/units.h"

namespace sextant::failures {

inline constexpr Seconds kMinute{60};

}  // namespace sextant::failures
