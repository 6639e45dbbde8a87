// Federations: what each came to, its rounds, and a picture.
#pragma once

#include "sextant/ask/federate.h"
#include "sextant/ask/federation_times.h"
#include "sextant/report/result.h"

namespace sextant::report {

Result federations_result(const ask::FederateAnswer& answer);
// As SVG: accuracy after each round; where shares of attackers differ, accuracy at the end over them; where
// several rules meet several attacks, a panel for each attack. Empty where nothing was trained.
std::string federations_picture(const ask::FederateAnswer& answer);

Result federation_times_result(const ask::FederationTimesAnswer& answer);

}  // namespace sextant::report
