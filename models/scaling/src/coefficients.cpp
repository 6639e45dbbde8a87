#include "coefficients.h"

namespace sextant::scaling {

// Logarithms throughout: a departure of 0.3 is a factor of 1.35. Times are in seconds.
const std::array<Prior, kScalingCoefficients> kPriors = {{
    {"fixed", Part::fixed, -3, 3, 1, 1.5, 1},
    {"sample", Part::sample, -6, 3, 1, 3, 1},
    // One GPU runs without the reducer of several: its fixed part is another.
    {"parallel_fixed", Part::fixed, -0.1, 0.2, 0.1, 0.05, 0.05},
    // Hooks, other processes on the host, batches of unequal lengths: no one-GPU step shows them.
    {"parallel", Part::compute, 0, 0.1, 0.1, 0.1, 0.1},
    {"slow_gpus", Part::compute, 0.02, 0.05, 0.03, 0.03, 0.03},
    {"slow_nodes", Part::compute, 0.02, 0.05, 0.03, 0.03, 0.03},
    {"size", Part::sync, -1, 2, 0, 0.35, 0.2},
    {"size_sync", Part::sync, 0.3, 0.15, 0, 0, 0},
    {"size_fixed", Part::sync, 0.8, 0.2, 0, 0, 0},
    {"size_here", Part::sync, 0.3, 0.3, 0, 0, 0},
    {"inside", Part::inside, -1, 2, 1, 0.2, 0.2},
    {"inside_gpus", Part::inside, 0.5, 0.5, 0.3, 0.2, 0.2},
    {"two", Part::outside, 0, 2, 1, 0.2, 0.2},
    {"two_gpus", Part::outside, 0.3, 0.5, 0.3, 0.2, 0.4},
    {"many", Part::outside, 0, 2, 1, 0.2, 0.2},
    {"many_gpus", Part::outside, 0.2, 0.5, 0.3, 0.2, 0.2},
    {"many_nodes", Part::outside, 0.2, 0.3, 0.2, 0.1, 0.1},
    {"uneven", Part::outside, 0, 0.1, 0.1, 0.1, 0.1},
    {"start", Part::start, 0, 1, 0.2, 0.4, 0.2},
    {"overlap", Part::overlap, 0.5, 1, 0.2, 0.3, 0.2},
}};

}  // namespace sextant::scaling
