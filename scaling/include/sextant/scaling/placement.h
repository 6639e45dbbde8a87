// How many GPUs of each node a job has: "134" is one, three and four on three nodes.
// Nodes with more than nine GPUs need separators, as in "4,4,12".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sextant {

struct Placement {
  std::vector<int> gpus;  // on each node, at least one

  [[nodiscard]] int nodes() const { return static_cast<int>(gpus.size()); }
  [[nodiscard]] int count() const;
  [[nodiscard]] int largest() const;   // GPUs on the fullest node
  [[nodiscard]] int smallest() const;  // on the emptiest
  [[nodiscard]] std::string text() const;
  bool operator==(const Placement&) const = default;
};

inline constexpr int kMostGpus = 1 << 20;

// InputError without a position for what is not a placement: the caller knows where it stood.
Placement parse_placement(std::string_view text);
// As even as it goes: 7 GPUs on 3 nodes are 3, 2 and 2.
Placement even_placement(std::int64_t count, std::int64_t nodes);

}  // namespace sextant
