// The response as SVR and trees see it: its logarithm for relative errors, then standardised.
#pragma once

#include <vector>

#include "sextant/core/json.h"
#include "sextant/learn/method.h"

namespace sextant::learn {

struct Target {
  bool log = false;
  double mean = 0;
  double sd = 1;

  [[nodiscard]] double forward(double y) const;
  [[nodiscard]] double back(double z) const;  // finite: a logarithm is held where exp would overflow
};

Target target_of(const std::vector<double>& y, const Parameters& parameters);
Json target_json(const Target& target);
Target load_target(const Json& json);

}  // namespace sextant::learn
