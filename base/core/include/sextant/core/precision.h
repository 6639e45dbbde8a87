// Number formats in which a network's tensors are kept and multiplied.
#pragma once

#include <string>
#include <string_view>

#include "sextant/core/error.h"
#include "sextant/core/units.h"

namespace sextant {

// tf32 keeps 4-byte tensors and multiplies them on tensor cores with a shortened mantissa.
enum class Precision { fp32, tf32, fp16 };

constexpr Bytes element_size(Precision precision) {
  return Bytes{precision == Precision::fp16 ? 2.0 : 4.0};
}

std::string to_string(Precision precision);
Precision parse_precision(std::string_view name, const SourcePos& at = {});

}  // namespace sextant
