// Whatever the text, a quantity is read as a finite, non-negative value or refused.
#include "sextant/core/unit_text.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto attempt = [&](auto parse) {
    try {
      const double value = parse(text, sextant::SourcePos{"fuzz", 1, 1}).value;
      if (std::isnan(value) || value < 0) std::abort();
    } catch (const sextant::InputError&) {
    }
  };
  attempt(sextant::parse_seconds);
  attempt(sextant::parse_bytes);
  attempt(sextant::parse_bandwidth);
  attempt(sextant::parse_flop_rate);
  attempt(sextant::parse_dollar_rate);
  return 0;
}
