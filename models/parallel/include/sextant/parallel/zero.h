// ZeRO: optimizer state (stage 1), gradients (2) and weights (3) divided between N ranks (Rajbhandari et
// al., SC 2020).
#pragma once

#include "sextant/parallel/workload.h"

namespace sextant::parallel {

// Bytes of a rank for `parameters` parameters. Stage 0 divides nothing.
ParameterBytes zero_bytes(int stage, const ParameterBytes& each, double parameters, double ranks);

// Elements that a rank sends in a step, for one parameter and many ranks: 2, with stage 3 3.
double zero_volume(int stage);

}  // namespace sextant::parallel
