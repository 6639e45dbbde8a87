#include "sextant/core/precision.h"

#include <array>
#include <vector>

#include "sextant/core/text.h"

namespace sextant {
namespace {

struct Named {
  const char* name;
  Precision precision;
};
constexpr std::array<Named, 3> kPrecisions = {
    {{"fp32", Precision::fp32}, {"tf32", Precision::tf32}, {"fp16", Precision::fp16}}};

// Of formats that are not modelled, but whose times are.
std::string precision_hint(std::string_view name) {
  const std::string word = fold_name(name);
  const bool bfloat = word == "bf16" || word == "bfloat16" || word == "bf16-mixed";
  return bfloat ? "fp16 has the same speed and memory" : "";
}

}  // namespace

std::string to_string(Precision precision) {
  for (const auto& known : kPrecisions) {
    if (known.precision == precision) return known.name;
  }
  return "unknown";
}

Precision parse_precision(std::string_view name, const SourcePos& at) {
  std::vector<std::string> names;
  for (const auto& known : kPrecisions) {
    if (fold_name(name) == known.name) return known.precision;
    names.emplace_back(known.name);
  }
  const std::string hint = precision_hint(name);
  throw InputError(at, "unknown precision '" + std::string(name) + "'",
                   hint.empty() ? name_hint(name, names) : hint);
}

}  // namespace sextant
