// How many GPUs a job uses on each node. Written as digits, "134": three nodes with 1, 3 and 4 GPUs, or with
// separators where a node has ten or more, "16+16"; "16+" is one such node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"

namespace sextant::jobs {

struct Placement {
  std::vector<std::int64_t> gpus = {1};   // used on each node
  std::vector<std::size_t> classes = {};  // kind of GPU on each node, where they are mixed; empty: all alike

  // `count` GPUs on as few nodes of `per_node` as hold them; the last may stay partly empty.
  static Placement packed(std::int64_t count, std::int64_t per_node);

  [[nodiscard]] std::size_t class_of(std::size_t node) const { return classes.empty() ? 0 : classes[node]; }
  [[nodiscard]] std::int64_t total() const;
  [[nodiscard]] std::int64_t nodes() const;     // with a GPU that takes part
  [[nodiscard]] std::int64_t fullest() const;   // GPUs on the node that has most
  [[nodiscard]] std::int64_t emptiest() const;  // on the one that has least
  [[nodiscard]] bool even() const;              // as many on every node
  bool operator==(const Placement&) const = default;
};

// Separators are plus signs, commas or blanks. InputError for anything but positive numbers of GPUs on at
// most kMostNodes nodes.
constexpr std::int64_t kMostNodes = 100'000;
Placement parse_placement(std::string_view text, const SourcePos& at = {});
std::string to_string(const Placement& placement);

// `count` GPUs, as many on each of the nodes; InputError where they do not divide.
Placement spread_evenly(std::int64_t count, std::int64_t nodes, const SourcePos& at = {});

// What somebody said of where a job runs; what was not said follows from the rest.
struct PlacementRequest {
  std::optional<std::int64_t> count = {};   // GPUs in all
  std::optional<std::int64_t> nodes = {};   // spread evenly over them
  std::optional<Placement> placement = {};  // or just so
  std::int64_t per_node = kUsualNode;       // GPUs that a node has, where only the count is said
  std::int64_t on_each_node = 1;            // GPUs that a node gives, where only the nodes are said

  static constexpr std::int64_t kUsualNode = 8;
};

// One device if nothing was said. InputError, at field "count", "nodes" or "placement", for what contradicts
// itself or does not divide.
Placement place(const PlacementRequest& request);

}  // namespace sextant::jobs
