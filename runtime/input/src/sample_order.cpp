#include "sample_order.h"

#include <numeric>
#include <utility>

#include "sextant/core/rng.h"

namespace sextant::input {

EpochOrder SampleOrder::draw(std::int64_t epoch) const {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(samples_));
  std::iota(order.begin(), order.end(), 0U);
  if (shuffle_) {
    Rng rng = Rng(seed_).stream("sample order", static_cast<std::uint64_t>(epoch));
    for (std::size_t left = order.size(); left > 1; --left) {
      const auto pick = static_cast<std::size_t>(rng.below(left));
      std::swap(order[left - 1], order[pick]);
    }
  }
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
}

EpochOrder SampleOrder::epoch(std::int64_t epoch) {
  const std::int64_t key = shuffle_ ? epoch : 0;
  const std::scoped_lock lock(mutex_);
  Kept& kept = kept_[static_cast<std::size_t>(key % 2)];
  if (kept.epoch != key) kept = {.epoch = key, .order = draw(key)};
  return kept.order;
}

}  // namespace sextant::input
