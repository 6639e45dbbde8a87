#include "cached_samples.h"

#include <algorithm>

namespace sextant::input {

CachedSamples::CachedSamples(const SampleSet& samples, std::int64_t room)
    : samples_(samples), room_(room), entries_(static_cast<std::size_t>(samples.size())) {}

std::int64_t CachedSamples::read(std::int64_t index, std::span<float> values) const {
  Entry& entry = entries_[static_cast<std::size_t>(index)];
  if (entry.state.load(std::memory_order_acquire) == State::kept) {
    std::copy_n(entry.values.get(), values.size(), values.data());
    return entry.label;
  }
  const std::int64_t label = samples_.read(index, values);
  keep(entry, label, values);
  return label;
}

void CachedSamples::keep(Entry& entry, std::int64_t label, std::span<const float> values) const {
  if (admitted_.load(std::memory_order_relaxed) >= room_) return;
  State absent = State::absent;
  if (!entry.state.compare_exchange_strong(absent, State::being_kept)) return;
  if (admitted_.fetch_add(1) >= room_) {  // another thread took the last place
    admitted_.fetch_sub(1);
    entry.state.store(State::absent);
    return;
  }
  entry.values = std::make_unique<float[]>(values.size());
  std::ranges::copy(values, entry.values.get());
  entry.label = label;
  entry.state.store(State::kept, std::memory_order_release);
}

std::int64_t CachedSamples::kept() const {
  return std::min(admitted_.load(), room_);
}

}  // namespace sextant::input
