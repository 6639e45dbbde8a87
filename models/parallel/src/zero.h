// ZeRO: optimizer state (stage 1), gradients (2) and weights (3) divided between N ranks (Rajbhandari et
// al., SC 2020).
#pragma once

#include "sextant/parallel/workload.h"

namespace sextant::parallel {

// Bytes of a rank for `parameters` parameters. Stage 0 divides nothing.
ParameterBytes zero_bytes(int stage, const ParameterBytes& each, double parameters, double ranks);

}  // namespace sextant::parallel
