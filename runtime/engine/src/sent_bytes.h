// Counts what one process hands to its transport. A ring all-reduce of n ranks sends 2 (n-1)/n of the values:
// n-1 parts while summing, n-1 while spreading the sums.
#pragma once

#include <atomic>
#include <cstdint>

#include "sextant/measure/outcome.h"

namespace sextant::engine {

class SentBytes {
 public:
  void all_reduce(std::size_t bytes, std::int64_t ranks) {
    payload_ += bytes;
    ring_ += 2.0 * static_cast<double>(ranks - 1) / static_cast<double>(ranks) * static_cast<double>(bytes);
  }
  void message(std::size_t bytes) {  // from any thread
    payload_ += bytes;
    messages_ += bytes;
  }
  [[nodiscard]] measure::WireBytes sum() const {
    return {.payload = static_cast<double>(payload_.load()),
            .theoretical = ring_ + static_cast<double>(messages_.load())};
  }

 private:
  std::atomic<std::size_t> payload_ = 0;
  std::atomic<std::size_t> messages_ = 0;
  std::atomic<double> ring_ = 0;
};

}  // namespace sextant::engine
