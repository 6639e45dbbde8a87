// Dates as people write them, in UTC.
#pragma once

#include <optional>
#include <string>

#include "sextant/core/units.h"

namespace sextant {

// "2026-12-01" or "2026-12-01T18:00": seconds since 1970; nothing if the text is no date.
std::optional<Seconds> date_seconds(const std::string& text);

}  // namespace sextant
