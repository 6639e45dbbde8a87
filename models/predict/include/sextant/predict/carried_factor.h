// What timings on some devices say of the same software on all the others. The user's software may be faster
// or slower than the stack that was calibrated, on every device alike; or the timed devices and networks are
// special. A mixed model of log(measured / predicted) tells these apart as far as the timings go:
//
//   residual = software + architecture + device + network + noise
//
// With even odds the software is the calibrated one, and its term is nothing. Page: docs/models/few-shot.md.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sextant/predict/stack.h"

namespace sextant::predict {

// A timed step, compared with what the stack says without any timings.
struct FactorTiming {
  std::string gpu;
  std::string architecture;
  std::string net;
  bool known_gpu = false;  // the stack was fitted on this device
  double log_ratio = 0;    // of measured over predicted
};

struct CarriedShift {
  double log_factor = 0;  // by which a prediction for a device without timings moves
  double half_width = 0;  // of a 90 % interval of what the timings leave open of the software, of log time
};

class CarriedFactor {
 public:
  CarriedFactor() = default;  // without timings nothing is carried
  CarriedFactor(std::span<const FactorTiming> timings, const Spread& spread);

  // For a network on a device of this architecture that was not timed itself.
  [[nodiscard]] CarriedShift on(const std::string& architecture, const std::string& net) const;

 private:
  // The mean of the timings of one network on one device.
  struct Cell {
    FactorTiming mean;
    double timings = 0;
  };
  // One answer to the question whether the software differs.
  struct Hypothesis {
    double software_variance = 0;
    double probability = 0;
    std::vector<double> weights = {};  // of the cells: covariance^-1 residuals
    std::vector<double> inverse = {};  // of the covariance, row by row
  };

  [[nodiscard]] double covariance(const Cell& a, const Cell& b, double software) const;
  [[nodiscard]] double device_variance(bool known) const;
  double solve(Hypothesis& hypothesis) const;  // its log likelihood

  std::vector<Cell> cells_;
  std::vector<Hypothesis> hypotheses_;
  Spread spread_ = {};
};

// Half-width of an answer for a device without timings that those of another one moved. Their software is not
// the one that the stack was fitted on, so the width is that outside of the fit.
double carried_half_width(const Stack& stack, const StackEstimate& e, const CarriedShift& shift);

}  // namespace sextant::predict
