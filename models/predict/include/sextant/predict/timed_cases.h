// Cases that the user timed: asked again, they take what they took. The interval is that of one more run
// like these; since few runs say little of their own spread, it starts from what repeated runs usually show.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sextant/predict/observation.h"

namespace sextant::predict {

class TimedCases {
 public:
  void add(const Observation& timed, jobs::Optimizer optimizer);

  struct Answer {
    double log_seconds = 0;  // mean of the logarithms
    double half_width = 0;   // of the 90 % interval, of log time
    std::size_t timings = 0;
  };
  // Nothing unless this very case was timed on this device.
  [[nodiscard]] std::optional<Answer> find(const Observation& question, jobs::Optimizer optimizer) const;

 private:
  struct Sum {
    double mean = 0;
    double squares = 0;  // of the distances from the mean
    std::size_t timings = 0;
  };
  std::map<std::string, Sum> sums_;
};

}  // namespace sextant::predict
