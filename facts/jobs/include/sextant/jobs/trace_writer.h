// Writes traces: in Sextant's own CSV, which keeps every field exactly, or in Gavel's format, which other
// simulators read and which knows only steps of named models.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/jobs/trace.h"

namespace sextant::jobs {

std::vector<std::string> trace_output_formats();  // "gavel", "sextant"

// InputError for an unknown format, and for a trace that the format cannot hold.
void write_trace(std::ostream& out, const Trace& trace, std::string_view format = "sextant");

}  // namespace sextant::jobs
