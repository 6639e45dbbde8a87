// Ids of traces and spans as text: lower-case hexadecimal digits of fixed length, as W3C and OTLP write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sextant/spans/span.h"

namespace sextant::spans {

std::string hex_text(std::uint64_t value);   // 16 digits
std::string hex_text(const TraceId& trace);  // 32 digits
// All of the text, at most 16 digits of either case; nothing for what is none.
std::optional<std::uint64_t> from_hex(std::string_view text);
std::optional<TraceId> trace_from_hex(std::string_view text);  // 32 digits

}  // namespace sextant::spans
