#include "sextant/core/precision.h"

#include <array>

#include "sextant/core/text.h"

namespace sextant {
namespace {

struct Named {
  const char* name;
  Precision precision;
};
constexpr std::array<Named, 9> kPrecisions = {{{"fp32", Precision::fp32},
                                               {"tf32", Precision::tf32},
                                               {"fp16", Precision::fp16},
                                               {"bf16", Precision::bf16},
                                               {"bf16-pure", Precision::bf16_pure},
                                               {"fp8", Precision::fp8},
                                               {"fp8-block", Precision::fp8_block},
                                               {"mxfp8", Precision::mxfp8},
                                               {"nvfp4", Precision::nvfp4}}};

// Words of frameworks and tables. "amp" of bf16 is what everybody but bf16-pure does.
constexpr std::array<Named, 11> kOtherWords = {{{"float32", Precision::fp32},
                                                {"float16", Precision::fp16},
                                                {"fp16-mixed", Precision::fp16},
                                                {"bfloat16", Precision::bf16},
                                                {"bf16-mixed", Precision::bf16},
                                                {"bf16-amp", Precision::bf16},
                                                {"bf16-true", Precision::bf16_pure},
                                                {"fp8-tensor", Precision::fp8},
                                                {"fp8-rowwise", Precision::fp8},
                                                {"fp8-blockwise", Precision::fp8_block},
                                                {"fp4", Precision::nvfp4}}};

}  // namespace

std::vector<std::string> precision_names() {
  std::vector<std::string> names;
  for (const auto& known : kPrecisions) names.emplace_back(known.name);
  return names;
}

std::string to_string(Precision precision) {
  for (const auto& known : kPrecisions) {
    if (known.precision == precision) return known.name;
  }
  return "unknown";
}

Precision parse_precision(std::string_view name, const SourcePos& at) {
  const std::string word = fold_name(name);
  for (const auto& known : kPrecisions) {
    if (word == known.name) return known.precision;
  }
  for (const auto& known : kOtherWords) {
    if (word == known.name) return known.precision;
  }
  throw InputError(at, "unknown precision '" + std::string(name) + "'", name_hint(name, precision_names()));
}

}  // namespace sextant
