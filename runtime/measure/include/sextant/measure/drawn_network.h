// Networks that trials can train and `nets` does not name: drawn at random from layers that its random
// networks lack (attention, norms, recurrent layers, maps of one to three dimensions that shrink and grow,
// functions and arithmetic of exported graphs). Calibrations time them.
#pragma once

#include <cstdint>
#include <string>

#include "sextant/nets/network.h"

namespace sextant::measure {

inline constexpr std::uint64_t kDrawnFamilies = 9;

// "drawn/17": the same network for the same number, on every machine. Families take turns: numbers that
// differ by their count are of one family. Sizes follow the batch, so that a step stays within a fraction of
// a second.
nets::Network drawn_network(std::uint64_t number);

// The network of a trial: a drawn one, or whatever nets::find_network() knows.
nets::Network trial_network(const std::string& name);

}  // namespace sextant::measure
