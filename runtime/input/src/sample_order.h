// In which order an epoch takes its samples: a permutation by Fisher and Yates that depends on the seed and
// the epoch alone, so that a restart, or another number of workers, takes the same samples.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace sextant::input {

using EpochOrder = std::shared_ptr<const std::vector<std::uint32_t>>;

// Safe to call from many threads.
class SampleOrder {
 public:
  SampleOrder(std::int64_t samples, bool shuffle, std::uint64_t seed)
      : samples_(samples), shuffle_(shuffle), seed_(seed) {}
  EpochOrder epoch(std::int64_t epoch);

 private:
  struct Kept {
    std::int64_t epoch = -1;
    EpochOrder order;
  };
  [[nodiscard]] EpochOrder draw(std::int64_t epoch) const;

  std::int64_t samples_;
  bool shuffle_;
  std::uint64_t seed_;
  std::mutex mutex_;
  std::array<Kept, 2> kept_;  // readers are in one epoch, or in two neighbouring ones
};

}  // namespace sextant::input
