// Exact analysis of a closed network whose queues have several servers.
#pragma once

#include "sextant/queueing/closed_network.h"

namespace sextant::queueing {

// By convolution over the numbers at the stations (Buzen 1973), in logarithms. The load-dependent form of
// mean-value analysis gives the same numbers, but subtracts probabilities from 1 and loses all digits near
// saturation; here all terms are positive.
std::vector<ClosedResult> convolve_closed(const ClosedNetwork& network,
                                          const std::vector<std::int64_t>& populations);

}  // namespace sextant::queueing
