// Jobs of one bucket in order of rank: a heap with four children a node that knows where each job stands, so
// that any job can leave it. Keys of a bucket share their slope, so their order never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sextant/schedule/view.h"

namespace sextant::schedule {

// By level, value, id, ascending. Jobs are numbered in the order of their arrival, so arrival needs no place.
struct RankKey {
  double value = 0;  // at the bucket's origin of time
  std::int64_t id = 0;
  std::int32_t level = 0;
  JobSlot slot = -1;
};

inline bool operator<(const RankKey& a, const RankKey& b) {
  if (a.level != b.level) return a.level < b.level;
  if (a.value != b.value) return a.value < b.value;
  return a.id < b.id;
}

// Places of jobs by slot, shared by all heaps: a job stands in one of them.
using HeapPlaces = std::vector<std::int32_t>;

// kWorstFirst: the largest key on top, else the smallest.
template <bool kWorstFirst>
class RankHeap {
 public:
  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] const RankKey& top() const { return keys_.front(); }

  void push(const RankKey& key, HeapPlaces& places) {
    keys_.push_back(key);
    rise(keys_.size() - 1, key, places);
  }

  void erase(JobSlot slot, HeapPlaces& places) {
    const auto hole = static_cast<std::size_t>(places[static_cast<std::size_t>(slot)]);
    const RankKey moved = keys_.back();
    keys_.pop_back();
    if (hole == keys_.size()) return;
    rise(sink(hole, places), moved, places);
  }

  // How many keys pass, at most `most`. What stands below a key that does not pass must not pass either.
  template <typename Passes>
  [[nodiscard]] std::size_t count_first(std::size_t most, Passes passes, std::size_t from = 0) const {
    if (most == 0 || from >= keys_.size() || !passes(keys_[from])) return 0;
    std::size_t count = 1;
    for (std::size_t child = 4 * from + 1; child <= 4 * from + 4 && count < most; ++child) {
      count += count_first(most - count, passes, child);
    }
    return count;
  }

 private:
  static bool before(const RankKey& a, const RankKey& b) { return kWorstFirst ? b < a : a < b; }

  void put(std::size_t at, const RankKey& key, HeapPlaces& places) {
    keys_[at] = key;
    places[static_cast<std::size_t>(key.slot)] = static_cast<std::int32_t>(at);
  }

  // Moves the hole down to a leaf.
  std::size_t sink(std::size_t hole, HeapPlaces& places) {
    for (std::size_t child = 4 * hole + 1; child < keys_.size(); child = 4 * hole + 1) {
      const std::size_t end = child + 4 < keys_.size() ? child + 4 : keys_.size();
      std::size_t best = child;
      for (std::size_t i = child + 1; i < end; ++i) best = before(keys_[i], keys_[best]) ? i : best;
      put(hole, keys_[best], places);
      hole = best;
    }
    return hole;
  }

  void rise(std::size_t hole, const RankKey& key, HeapPlaces& places) {
    while (hole > 0) {
      const std::size_t up = (hole - 1) / 4;
      if (!before(key, keys_[up])) break;
      put(hole, keys_[up], places);
      hole = up;
    }
    put(hole, key, places);
  }

  std::vector<RankKey> keys_;
};

}  // namespace sextant::schedule
