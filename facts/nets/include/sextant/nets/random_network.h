// Networks drawn at random from the blocks of the literature: plain stacks, residual and bottleneck blocks,
// depthwise-separable and inverted ones, fire and inception modules, dense blocks, shuffled halves, and heads
// of linear layers. What a calibration runs, so that networks that people know stay unseen until they are
// predicted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sextant/nets/network.h"

namespace sextant::nets {

// "random/17": the same network for the same number, on every machine.
Network random_network(std::uint64_t number);

// The number of such a name; none for any other name.
std::optional<std::uint64_t> random_network_number(const std::string& name);

}  // namespace sextant::nets
