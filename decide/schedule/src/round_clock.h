// Boundaries of rounds: multiples of the round after the job that found the cluster empty.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sextant/core/error.h"
#include "sextant/core/units.h"

namespace sextant::schedule {

class RoundClock {
 public:
  explicit RoundClock(Seconds round) : round_s_(round.value) {
    if (!(round_s_ > 0) || !std::isfinite(round_s_)) throw InputError("a round must take longer than 0 s");
  }

  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }

  void stop() { runs_ = false; }
  // Whether a round begins now: at a boundary, or because none is under way. Rounds that began while nobody
  // asked count as well.
  bool begins(double now_s) {
    if (!runs_) {
      runs_ = true;
      origin_s_ = now_s;
      index_ = 0;
      ++rounds_;
      return true;
    }
    const double index = std::floor((now_s - origin_s_ + kTick) / round_s_);
    const bool first_look = index > index_;
    rounds_ += static_cast<std::uint64_t>(index - index_);
    index_ = index;
    return first_look && now_s - (origin_s_ + index * round_s_) <= kTick;
  }
  // First boundary after the round under way that is not before `at_s`.
  [[nodiscard]] double boundary(double at_s) const {
    const double index = std::ceil((at_s - origin_s_ - kTick) / round_s_);
    return origin_s_ + std::max(index_ + 1, index) * round_s_;
  }

 private:
  static constexpr double kTick = 1e-6;  // s: clocks round

  double round_s_;
  bool runs_ = false;
  double origin_s_ = 0;
  double index_ = 0;  // of the round under way
  std::uint64_t rounds_ = 0;
};

}  // namespace sextant::schedule
