// Values for inputs and labels that a batch does not hold: drawn from the seed, the same at every step, so
// that any graph can be run and timed without a data set.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sextant/nets/graph.h"

namespace sextant::engine {

// Number of different ids that an input of token ids may hold: what its smallest embedding has.
std::int64_t token_range(const nets::Graph& graph, nets::NodeId input);

struct Draw {
  std::uint64_t seed = 0;
  std::string_view purpose;
  nets::NodeId node = 0;
};
std::vector<std::int64_t> drawn_indices(const Draw& draw, std::int64_t count, std::int64_t range);
std::vector<float> drawn_numbers(const Draw& draw, std::int64_t count);  // normal

}  // namespace sextant::engine
