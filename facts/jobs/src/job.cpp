#include "sextant/jobs/job.h"

#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "sextant/core/text.h"

namespace sextant::jobs {
namespace {

template <class Enum>
using Names = std::span<const std::pair<const char*, Enum>>;

constexpr std::array<std::pair<const char*, Mode>, 2> kModes = {
    {{"train", Mode::train}, {"infer", Mode::infer}}};
constexpr std::array<std::pair<const char*, Optimizer>, 6> kOptimizers = {
    {{"none", Optimizer::none},
     {"sgd", Optimizer::sgd},
     {"momentum", Optimizer::momentum},
     {"adam", Optimizer::adam},
     {"adamw", Optimizer::adamw},
     {"adam-8bit", Optimizer::adam_8bit}}};

constexpr double kEightBitState = 1 + 4.0 / 256;  // bytes of a value and its part of the block's scale

template <class Enum>
std::string name_of(Enum value, Names<Enum> names) {
  for (const auto& [name, known] : names) {
    if (known == value) return name;
  }
  return "unknown";
}

template <class Enum>
Enum parse(const char* kind, std::string_view text, Names<Enum> names, const SourcePos& at) {
  std::vector<std::string> known;
  for (const auto& [name, value] : names) {
    if (fold_name(text) == name) return value;
    known.emplace_back(name);
  }
  throw InputError(at, "unknown " + std::string(kind) + " '" + std::string(text) + "'",
                   name_hint(text, known));
}

}  // namespace

int optimizer_state_values(Optimizer optimizer) {
  switch (optimizer) {
    case Optimizer::none:
    case Optimizer::sgd:
      return 0;
    case Optimizer::momentum:
      return 1;
    case Optimizer::adam:
    case Optimizer::adamw:
    case Optimizer::adam_8bit:
      return 2;
  }
  return 0;
}

Bytes optimizer_state_size(Optimizer optimizer, Precision precision) {
  const int values = optimizer_state_values(optimizer);
  if (optimizer == Optimizer::adam_8bit) return Bytes{values * kEightBitState};
  return Bytes{values * (precision == Precision::bf16_pure ? 2.0 : 4.0)};
}

double update_tensors(Optimizer optimizer) {
  const double state = optimizer_state_size(optimizer, Precision::fp32) / element_size(Precision::fp32);
  return 3 + 2 * state;
}

std::int64_t step_count(const Job& job, const Duration& duration) {
  const double global_batch =
      static_cast<double>(job.sizes.batch) * static_cast<double>(job.layout.devices());
  const double per_epoch = std::ceil(static_cast<double>(duration.samples) / global_batch);
  return static_cast<std::int64_t>(std::ceil(per_epoch * duration.epochs));
}

std::string to_string(Mode mode) {
  return name_of<Mode>(mode, kModes);
}
std::string to_string(Optimizer optimizer) {
  return name_of<Optimizer>(optimizer, kOptimizers);
}
std::vector<std::string> optimizer_names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : kOptimizers) names.emplace_back(name);
  return names;
}
Mode parse_mode(std::string_view name, const SourcePos& at) {
  return parse<Mode>("mode", name, kModes, at);
}
Optimizer parse_optimizer(std::string_view name, const SourcePos& at) {
  const std::string word = fold_name(name);
  if (word == "adamw-8bit" || word == "adam8bit" || word == "adamw8bit") return Optimizer::adam_8bit;
  return parse<Optimizer>("optimizer", name, kOptimizers, at);
}

}  // namespace sextant::jobs
