// Times of a job that names a network: predicted for every machine type that is there, on one GPU and on
// twice as many up to all of a machine.
#pragma once

#include <vector>

#include "api.h"

namespace sextant::daemon {

std::vector<MachineTime> predicted_times(const Json& network, const OrderContext& context);

}  // namespace sextant::daemon
