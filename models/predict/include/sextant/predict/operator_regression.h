// Time of operators of one kind in one direction: a call's overhead, arithmetic at a rate and traffic at a
// bandwidth, times a smooth correction learned from timed calls (Gaussian process regression of the
// logarithm; Rasmussen, Williams 2006, chapter 2), which fades to none away from them. Page:
// docs/models/local-device.md.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sextant/predict/operator_calls.h"
#include "sextant/stats/matrix.h"

namespace sextant::predict {

struct TimedCall {
  OperatorCall call;
  double seconds = 0;
  std::size_t network = 0;  // that it stood in
};

// A sum that no call undercuts by much: call + flop / rate + bytes / bandwidth.
struct CallCost {
  double call_s = 0;
  double s_per_flop = 0;
  double s_per_byte = 0;
  [[nodiscard]] double seconds(double flop, double bytes) const {
    return call_s + s_per_flop * flop + s_per_byte * bytes;
  }
};

// Standard deviations of log time: of what the correction explains, and of what repetitions scatter.
struct Smoothness {
  double signal = 0.35;
  double noise = 0.1;
};

struct OperatorRegression {
  CallCost cost;
  double offset = 0;  // of log time, everywhere
  Smoothness smoothness;
  stats::Matrix points;         // coordinates of distinct timed calls
  std::vector<double> weights;  // one for each
  double largest_flop = 0;

  [[nodiscard]] double seconds(const OperatorCall& call) const;
  // Squared distance, in length scales, to the closest timed call.
  [[nodiscard]] double distance(const OperatorCall& call) const;
};

// Rates from non-negative least squares that outliers hardly move.
CallCost fit_call_cost(std::span<const TimedCall> timed);

// Signal and noise of the greatest marginal likelihood among a few.
Smoothness fit_smoothness(std::span<const TimedCall> timed);

// InputError for no calls, coordinates of unequal length, or times that are not finite and positive.
OperatorRegression fit_operator_regression(std::span<const TimedCall> timed, const Smoothness& smoothness);

}  // namespace sextant::predict
