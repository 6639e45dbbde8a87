// Values on the scale that models use: logarithms where all are positive, since costs differ by factors,
// else standardised. Smaller is better.
#pragma once

#include <span>

namespace sextant::explore {

struct ValueScale {
  bool log = false;
  double sign = 1;  // -1 where large is good
  double centre = 0;
  double spread = 1;

  [[nodiscard]] double to_model(double metric) const;
  [[nodiscard]] double to_metric(double model) const;
  // How far a value that is worse by `gap` model units is from `metric`, as a share of it.
  [[nodiscard]] double relative(double gap, double metric) const;
  // What the function's standard deviation is expected to be: a factor of e^0.5, or that of the values.
  [[nodiscard]] double typical_sd() const { return log ? 0.5 : 1.0; }
};

// Of finite values, at least one.
ValueScale scale_of_values(std::span<const double> metrics, bool maximise);

}  // namespace sextant::explore
