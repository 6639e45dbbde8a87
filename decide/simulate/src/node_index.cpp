#include "sextant/simulate/node_index.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

namespace sextant::simulate {
namespace {

std::uint64_t bit(std::int32_t i) {
  return std::uint64_t{1} << (i % 64);
}
std::size_t word(std::int32_t i) {
  return static_cast<std::size_t>(i) / 64;
}

// Position of the lowest bit that is set in `words`, at `from` or above; -1: none.
std::int32_t lowest(const std::uint64_t* words, std::size_t count, std::size_t from) {
  std::size_t w = from / 64;
  if (w >= count) return -1;
  std::uint64_t left = words[w] & (~std::uint64_t{0} << (from % 64));
  while (left == 0) {
    if (++w == count) return -1;
    left = words[w];
  }
  return static_cast<std::int32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
}

std::int64_t rack_size(const NodeLayout& layout) {
  const std::int64_t nodes = (layout.gpus + layout.per_node - 1) / layout.per_node;
  const std::int64_t all = std::max<std::int64_t>(nodes, 1);
  return layout.nodes_per_rack > 0 ? std::min(layout.nodes_per_rack, all) : all;
}

NodeLayout checked(const NodeLayout& layout) {
  if (layout.gpus < 0 || layout.gpus > std::numeric_limits<std::int32_t>::max() || layout.per_node < 1) {
    throw std::invalid_argument("a pool of " + std::to_string(layout.gpus) + " GPUs in nodes of " +
                                std::to_string(layout.per_node));
  }
  NodeLayout result = layout;
  result.per_node = std::min(layout.per_node, std::max<std::int64_t>(layout.gpus, 1));
  return result;
}

}  // namespace

ValueBuckets::ValueBuckets(std::int64_t items, std::int64_t most)
    : most_(static_cast<std::int32_t>(most)),
      words_(static_cast<std::size_t>(items) / 64 + 1),
      summaries_(words_ / 64 + 1) {
  const auto values = static_cast<std::size_t>(most) + 1;
  bits_.resize(values * words_);
  summary_.resize(values * summaries_);
  present_.resize(values / 64 + 1);
  count_.resize(values);
}

void ValueBuckets::insert(std::int32_t item, std::int32_t value) {
  const auto v = static_cast<std::size_t>(value);
  bits_[v * words_ + word(item)] |= bit(item);
  summary_[v * summaries_ + word(item) / 64] |= std::uint64_t{1} << (word(item) % 64);
  if (count_[v]++ == 0) present_[word(value)] |= bit(value);
}

void ValueBuckets::erase(std::int32_t item, std::int32_t value) {
  const auto v = static_cast<std::size_t>(value);
  std::uint64_t& bits = bits_[v * words_ + word(item)];
  bits &= ~bit(item);
  if (bits == 0) {
    summary_[v * summaries_ + word(item) / 64] &= ~(std::uint64_t{1} << (word(item) % 64));
  }
  if (--count_[v] == 0) present_[word(value)] &= ~bit(value);
}

std::int32_t ValueBuckets::first(std::int32_t value, std::int32_t from) const {
  const auto v = static_cast<std::size_t>(value);
  const std::uint64_t* bits = &bits_[v * words_];
  const std::size_t start = word(from);
  if (start >= words_) return -1;
  const std::uint64_t here = bits[start] & (~std::uint64_t{0} << (from % 64));
  if (here != 0) {
    return static_cast<std::int32_t>(start * 64 + static_cast<std::size_t>(std::countr_zero(here)));
  }
  const std::int32_t next = lowest(&summary_[v * summaries_], summaries_, start + 1);
  if (next < 0) return -1;
  return next * 64 + std::countr_zero(bits[next]);
}

std::int32_t ValueBuckets::at_least(std::int32_t value) const {
  return lowest(present_.data(), present_.size(), static_cast<std::size_t>(value));
}

std::int32_t ValueBuckets::at_most(std::int32_t value) const {
  std::int32_t w = value / 64;
  std::uint64_t left = present_[static_cast<std::size_t>(w)] & (~std::uint64_t{0} >> (63 - value % 64));
  while (left == 0) {
    if (--w < 0) return -1;
    left = present_[static_cast<std::size_t>(w)];
  }
  return w * 64 + 63 - std::countl_zero(left);
}

NodeIndex::NodeIndex(const NodeLayout& layout)
    : layout_(checked(layout)),
      per_rack_(static_cast<std::int32_t>(rack_size(layout_))),
      free_(static_cast<std::size_t>((layout_.gpus + layout_.per_node - 1) / layout_.per_node)),
      rack_free_((free_.size() + static_cast<std::size_t>(per_rack_) - 1) /
                 static_cast<std::size_t>(per_rack_)),
      by_free_(std::ssize(free_), layout_.per_node),
      racks_by_free_(std::ssize(rack_free_),
                     rack_free_.size() > 1 ? std::min(per_rack_ * layout_.per_node, layout_.gpus) : 0) {
  for (std::int32_t rack = 0; rack < racks(); ++rack) racks_by_free_.insert(rack, 0);
  for (std::int32_t node = 0; node < nodes(); ++node) bring_up(node);
}

std::int32_t NodeIndex::capacity(std::int32_t node) const {
  return static_cast<std::int32_t>(std::min(layout_.per_node, layout_.gpus - node * layout_.per_node));
}

std::int32_t NodeIndex::stranded(std::int32_t node, std::int32_t free) const {
  return free < std::min(layout_.usual, capacity(node)) ? free : 0;
}

void NodeIndex::add_free(std::int32_t node, std::int32_t gpus) {
  total_free_ += gpus;
  if (rack_free_.size() == 1) return;
  const std::int32_t rack = rack_of(node);
  std::int64_t& free = rack_free_[static_cast<std::size_t>(rack)];
  racks_by_free_.erase(rack, static_cast<std::int32_t>(free));
  free += gpus;
  racks_by_free_.insert(rack, static_cast<std::int32_t>(free));
}

void NodeIndex::change(std::int32_t node, std::int32_t to) {
  std::int32_t& free = free_[static_cast<std::size_t>(node)];
  fragmented_ += stranded(node, to) - stranded(node, free);
  by_free_.erase(node, free);
  by_free_.insert(node, to);
  add_free(node, to - free);
  free = to;
}

void NodeIndex::take(const NodeShare& share) {
  const std::int32_t left = free_of(share.node) - share.gpus;
  if (left < 0) throw std::logic_error("GPUs of node " + std::to_string(share.node) + " are given twice");
  change(share.node, left);
}

void NodeIndex::give(const NodeShare& share) {
  const std::int32_t free = free_of(share.node) + share.gpus;
  if (free > capacity(share.node)) {
    throw std::logic_error("GPUs of node " + std::to_string(share.node) + " are returned twice");
  }
  change(share.node, free);
}

// A node that is down has none free and stands in no bucket.
void NodeIndex::take_down(std::int32_t node) {
  std::int32_t& free = free_[static_cast<std::size_t>(node)];
  if (free != capacity(node)) throw std::logic_error("a node goes down while jobs hold it");
  by_free_.erase(node, free);
  add_free(node, -free);
  free = 0;
}

void NodeIndex::bring_up(std::int32_t node) {
  std::int32_t& free = free_[static_cast<std::size_t>(node)];
  free = capacity(node);
  by_free_.insert(node, free);
  add_free(node, free);
}

}  // namespace sextant::simulate
