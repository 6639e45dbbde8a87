// Free GPUs of the nodes of one type, in buckets by how many are free, so that "a node with exactly g free",
// "the one with least to spare" and "the emptiest" are found without looking at every node. A bucket is a set
// of bits with a summary, so the lowest node always comes first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sextant/simulate/placement_rule.h"

namespace sextant::simulate {

// Items 0..n-1, each with a value 0..most or absent.
class ValueBuckets {
 public:
  ValueBuckets(std::int64_t items, std::int64_t most);

  void insert(std::int32_t item, std::int32_t value);
  void erase(std::int32_t item, std::int32_t value);
  // Lowest item of a value that is `from` or above; -1: none.
  [[nodiscard]] std::int32_t first(std::int32_t value, std::int32_t from = 0) const;
  // Nearest value that items have: at least, at most; -1: none.
  [[nodiscard]] std::int32_t at_least(std::int32_t value) const;
  [[nodiscard]] std::int32_t at_most(std::int32_t value) const;
  [[nodiscard]] std::int32_t most() const { return most_; }

 private:
  std::int32_t most_;
  std::size_t words_;      // of a bucket's bits
  std::size_t summaries_;  // words of a bucket's summary, a bit for each word that is not zero
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> summary_;
  std::vector<std::uint64_t> present_;  // a bit for each value that items have
  std::vector<std::int32_t> count_;     // by value
};

struct NodeLayout {
  std::int64_t gpus = 0;
  std::int64_t per_node = 8;
  std::int64_t nodes_per_rack = 0;  // 0: all in one rack
  std::int32_t usual = 1;           // GPUs of the most usual request
};

class NodeIndex {
 public:
  explicit NodeIndex(const NodeLayout& layout);

  [[nodiscard]] std::int32_t nodes() const { return static_cast<std::int32_t>(free_.size()); }
  [[nodiscard]] std::int32_t racks() const { return static_cast<std::int32_t>(rack_free_.size()); }
  [[nodiscard]] std::int32_t rack_of(std::int32_t node) const { return node / per_rack_; }
  [[nodiscard]] std::int32_t rack_begin(std::int32_t rack) const { return rack * per_rack_; }
  [[nodiscard]] std::int32_t capacity(std::int32_t node) const;
  [[nodiscard]] std::int32_t free_of(std::int32_t node) const {
    return free_[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] std::int64_t free() const { return total_free_; }
  // Free GPUs on nodes that are up and cannot hold the most usual request, or be wholly taken by it.
  [[nodiscard]] std::int64_t fragmented() const { return fragmented_; }
  [[nodiscard]] const ValueBuckets& by_free() const { return by_free_; }
  [[nodiscard]] const ValueBuckets& racks_by_free() const { return racks_by_free_; }

  // A logic_error where GPUs would be given twice, or returned twice.
  void take(const NodeShare& share);
  void give(const NodeShare& share);
  void take_down(std::int32_t node);  // all of it is free then
  void bring_up(std::int32_t node);

 private:
  void change(std::int32_t node, std::int32_t to);
  void add_free(std::int32_t node, std::int32_t gpus);
  [[nodiscard]] std::int32_t stranded(std::int32_t node, std::int32_t free) const;

  NodeLayout layout_;
  std::int32_t per_rack_;
  std::vector<std::int32_t> free_;
  std::vector<std::int64_t> rack_free_;
  ValueBuckets by_free_;
  ValueBuckets racks_by_free_;
  std::int64_t total_free_ = 0;
  std::int64_t fragmented_ = 0;
};

}  // namespace sextant::simulate
