// Fits the kernel model to timed steps. First the coefficients that all devices share, with a pull
// towards where they start; then, for each instance, how far that machine departs from them.
// Robust least squares on the logarithm of time (soft L1), by Levenberg and Marquardt.
#pragma once

#include <map>
#include <span>
#include <string>

#include "sextant/predict/coefficients.h"
#include "sextant/predict/observation.h"

namespace sextant::predict {

struct SharedFit {
  Coefficients coefficients = {};
  // Of versions other than the usual one: logarithms of what they multiply.
  std::map<std::string, double> frameworks = {};  // the host's time
  std::map<std::string, double> libraries = {};   // the time of every kernel
  int iterations = 0;
};

struct FitOptions {
  Coefficients start = start_coefficients();  // also the centre of the pull
  int iterations = 60;
  double profile_weight = 0.3;  // of the profile's rows against the steps
};

SharedFit fit_shared(std::span<const Observation* const> rows, const FitOptions& options);

// The instance's departure, given its own rows: few rows move it little.
Coefficients fit_departure(std::span<const Observation* const> rows, const SharedFit& shared,
                           double profile_weight = 0.3);

// Coefficients of a row: shared, of its software, and of its instance.
Coefficients coefficients_for(const SharedFit& shared, const Software& software,
                              const Coefficients* departure);

}  // namespace sextant::predict
