// Phases of training by the names that people give them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sextant::spans {

using PhaseIndex = std::size_t;

// The usual phases first, then other names of spans in the order in which they come; those that come after
// the first few dozen count as "other", so that traces of single operators stay readable.
class PhaseTable {
 public:
  static constexpr PhaseIndex kInput = 0;
  static constexpr PhaseIndex kForward = 1;
  static constexpr PhaseIndex kBackward = 2;
  static constexpr PhaseIndex kCommunication = 3;
  static constexpr PhaseIndex kOptimizer = 4;
  static constexpr PhaseIndex kOther = 5;  // between spans

  PhaseIndex of(std::string_view span_name);  // "fwd" is forward, "all_reduce" communication
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_ = {"input", "forward", "backward", "communication", "optimizer", "other"};
  std::map<std::string, PhaseIndex, std::less<>> known_;
};

bool names_an_iteration(std::string_view span_name);                        // also "step", "ProfilerStep#12"
std::optional<std::int64_t> iteration_in_name(std::string_view span_name);  // 12 of these
bool names_a_wait(std::string_view span_name);  // of the training thread, for communication

}  // namespace sextant::spans
