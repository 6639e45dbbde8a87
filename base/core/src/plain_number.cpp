#include "sextant/core/plain_number.h"

#include <cmath>
#include <cstdint>

#include "sextant/core/text.h"

namespace sextant {

std::string plain_number_text(double value) {
  constexpr double kMost = 1e15;
  // Not for -0, whose digits would lose the sign.
  const bool whole =
      std::abs(value) < kMost && value == std::trunc(value) && !(value == 0 && std::signbit(value));
  return whole ? std::to_string(static_cast<std::int64_t>(value)) : number_text(value);
}

}  // namespace sextant
