// How many GPUs a job uses on each node. Written as digits, "134": three nodes with 1, 3 and 4 GPUs, or with
// plus signs where a node has ten or more, "16+16".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"

namespace sextant {

struct Placement {
  std::vector<std::int64_t> gpus = {1};  // on each node, at least one

  [[nodiscard]] std::int64_t total() const;
  [[nodiscard]] std::int64_t nodes() const { return static_cast<std::int64_t>(gpus.size()); }
  [[nodiscard]] std::int64_t fullest() const;  // GPUs on the node that has most
  [[nodiscard]] bool even() const;             // as many on every node
  bool operator==(const Placement&) const = default;
};

// InputError for anything but positive numbers of GPUs on at most kMostNodes nodes.
constexpr std::int64_t kMostNodes = 100'000;
Placement parse_placement(std::string_view text, const SourcePos& at = {});
std::string to_string(const Placement& placement);

// `count` GPUs, as many on each of the nodes; InputError where they do not divide.
Placement spread_evenly(std::int64_t count, std::int64_t nodes, const SourcePos& at = {});
// Nodes filled one after another; the last may stay partly empty.
Placement fill_nodes(std::int64_t count, std::int64_t per_node);

}  // namespace sextant
