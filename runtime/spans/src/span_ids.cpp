#include "span_ids.h"

#include <charconv>

namespace sextant::spans {

std::string hex_text(std::uint64_t value) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = kDigits[value & 15];
  return text;
}

std::string hex_text(const TraceId& trace) {
  return hex_text(trace.high) + hex_text(trace.low);
}

std::optional<std::uint64_t> from_hex(std::string_view text) {
  std::uint64_t value = 0;
  if (text.empty() || text.size() > 16) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<TraceId> trace_from_hex(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  const auto high = from_hex(text.substr(0, 16));
  const auto low = from_hex(text.substr(16));
  if (!high || !low) return std::nullopt;
  return TraceId{*high, *low};
}

}  // namespace sextant::spans
