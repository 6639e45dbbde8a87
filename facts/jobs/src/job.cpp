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
constexpr std::array<std::pair<const char*, Optimizer>, 4> kOptimizers = {{{"none", Optimizer::none},
                                                                           {"sgd", Optimizer::sgd},
                                                                           {"momentum", Optimizer::momentum},
                                                                           {"adam", Optimizer::adam}}};

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
      return 2;
  }
  return 0;
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
Mode parse_mode(std::string_view name, const SourcePos& at) {
  return parse<Mode>("mode", name, kModes, at);
}
Optimizer parse_optimizer(std::string_view name, const SourcePos& at) {
  if (fold_name(name) == "adamw")
    throw InputError(at, "unknown optimizer '" + std::string(name) + "'",
                     "adam has the same time and memory");
  return parse<Optimizer>("optimizer", name, kOptimizers, at);
}

}  // namespace sextant::jobs
