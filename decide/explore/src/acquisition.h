// Expected improvement of a normal prediction over the best so far (Mockus 1978; Jones, Schonlau, Welch
// 1998). Smaller is better.
#pragma once

namespace sextant::explore {

struct NormalPrediction {
  double mean = 0;
  double sd = 0;
};

double normal_density(double z);
double normal_below(double z);  // standard normal distribution function

// E[max(best - y, 0)]
double expected_improvement(const NormalPrediction& y, double best);
// P(y < limit); with no deviation, whether it is.
double chance_below(const NormalPrediction& y, double limit);

}  // namespace sextant::explore
