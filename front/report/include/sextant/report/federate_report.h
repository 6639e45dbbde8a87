// Federations: what each came to, its rounds, and a picture.
#pragma once

#include "sextant/ask/federate.h"
#include "sextant/ask/federation_times.h"
#include "sextant/report/result.h"
#include "sextant/report/svg_lines.h"

namespace sextant::report {

Result federations_result(const ask::FederateAnswer& answer);
// Accuracy after each round; where shares of attackers differ, accuracy at the end over them. No series where
// nothing was trained.
LinePlot federations_plot(const ask::FederateAnswer& answer);

Result federation_times_result(const ask::FederationTimesAnswer& answer);

}  // namespace sextant::report
