// What federations come to, in sentences.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/federate.h"

namespace sextant::report {

std::vector<std::string> federation_verdict(const ask::FederateAnswer& answer,
                                            const std::vector<ask::FederatedCell>& cells);

}  // namespace sextant::report
