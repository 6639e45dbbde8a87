// Deadlines as people write them.
#pragma once

#include <string>

#include "sextant/core/error.h"
#include "sextant/core/units.h"

namespace sextant::ask {

// "36 h", or a date in UTC, "2026-12-01" or "2026-12-01T18:00", counted from now. InputError for one that
// is past.
Seconds parse_deadline(const std::string& text, const SourcePos& at);

}  // namespace sextant::ask
