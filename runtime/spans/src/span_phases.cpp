#include "span_phases.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sextant/core/text.h"

namespace sextant::spans {
namespace {

constexpr std::size_t kMostPhases = 40;

constexpr std::array<std::pair<std::string_view, PhaseIndex>, 22> kNames = {{
    {"input", PhaseTable::kInput},
    {"load", PhaseTable::kInput},
    {"data", PhaseTable::kInput},
    {"dataloader", PhaseTable::kInput},
    {"forward", PhaseTable::kForward},
    {"fwd", PhaseTable::kForward},
    {"backward", PhaseTable::kBackward},
    {"bwd", PhaseTable::kBackward},
    {"communication", PhaseTable::kCommunication},
    {"comm", PhaseTable::kCommunication},
    {"allreduce", PhaseTable::kCommunication},
    {"all-reduce", PhaseTable::kCommunication},
    {"reduce-scatter", PhaseTable::kCommunication},
    {"all-gather", PhaseTable::kCommunication},
    {"broadcast", PhaseTable::kCommunication},
    {"push", PhaseTable::kCommunication},
    {"pull", PhaseTable::kCommunication},
    {"optimizer", PhaseTable::kOptimizer},
    {"optim", PhaseTable::kOptimizer},
    {"opt", PhaseTable::kOptimizer},
    {"update", PhaseTable::kOptimizer},
    {"other", PhaseTable::kOther},
}};

}  // namespace

PhaseIndex PhaseTable::of(std::string_view span_name) {
  const auto seen = known_.find(span_name);
  if (seen != known_.end()) return seen->second;
  const std::string folded = fold_name(span_name);
  const auto usual =
      std::ranges::find_if(kNames, [&](const auto& entry) { return folded == fold_name(entry.first); });
  PhaseIndex phase = kOther;
  if (usual != kNames.end()) {
    phase = usual->second;
  } else if (names_.size() < kMostPhases) {
    phase = names_.size();
    names_.emplace_back(span_name);
  }
  known_.emplace(span_name, phase);
  return phase;
}

bool names_an_iteration(std::string_view span_name) {
  return span_name == "iteration" || span_name == "step" || span_name.starts_with("ProfilerStep#");
}

std::optional<std::int64_t> iteration_in_name(std::string_view span_name) {
  const auto hash = span_name.find('#');
  std::int64_t number = 0;
  if (hash == std::string_view::npos) return std::nullopt;
  const char* end = span_name.data() + span_name.size();
  if (std::from_chars(span_name.data() + hash + 1, end, number).ptr != end) return std::nullopt;
  return number;
}

bool names_a_wait(std::string_view span_name) {
  return span_name == "wait";
}

}  // namespace sextant::spans
