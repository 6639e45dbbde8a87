// Number formats in which a network's tensors are kept and multiplied.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/units.h"

namespace sextant {

// tf32 keeps 4-byte tensors and multiplies them on tensor cores with a shortened mantissa. The formats below
// 16 bits keep bf16 tensors and shorten the operands of their products: fp8 with one scale for a tensor (or
// for a row), fp8_block with one for a block of 128, mxfp8 and nvfp4 with one for 32 and 16 values. All
// formats of 16 bits and less keep a copy of the weights in fp32, which is what the optimizer changes;
// bf16_pure has none, and keeps the optimizer's values in bf16 too.
enum class Precision { fp32, tf32, fp16, bf16, bf16_pure, fp8, fp8_block, mxfp8, nvfp4 };

constexpr bool is_half(Precision precision) {  // tensors of 2 bytes
  return precision != Precision::fp32 && precision != Precision::tf32;
}
constexpr bool keeps_master_weights(Precision precision) {
  return is_half(precision) && precision != Precision::bf16_pure;
}

constexpr Bytes element_size(Precision precision) {
  return Bytes{is_half(precision) ? 2.0 : 4.0};
}

std::vector<std::string> precision_names();
std::string to_string(Precision precision);
// Also as frameworks write them: bfloat16, bf16-mixed, fp8-rowwise.
Precision parse_precision(std::string_view name, const SourcePos& at = {});

}  // namespace sextant
