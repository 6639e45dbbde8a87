// Borders between the phases of an iteration: one reading of the clock each, which ends one phase and begins
// the next, and serves times, spans and signs of life alike.
#pragma once

#include <cstdint>

#include "sextant/measure/clock.h"
#include "sextant/measure/training_strategy.h"

namespace sextant::measure {

class PhaseClock {
 public:
  PhaseClock(const StrategySetup& setup, std::int64_t iteration)
      : setup_(setup), iteration_(iteration), start_(monotonic_ns()), border_(start_) {}

  // Seconds of the phase that ends here; `name` a literal, for its span, or nullptr for none.
  double end(const char* name) {
    const std::int64_t begin = border_;
    border_ = monotonic_ns();
    if (setup_.spans != nullptr && name != nullptr) {
      setup_.spans->add({.name = name, .start = begin, .end = border_, .iteration = iteration_});
    }
    setup_.beat();
    return seconds(border_ - begin);
  }
  [[nodiscard]] double total() const { return seconds(border_ - start_); }
  static double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

 private:
  const StrategySetup& setup_;
  std::int64_t iteration_;
  std::int64_t start_;
  std::int64_t border_;
};

}  // namespace sextant::measure
