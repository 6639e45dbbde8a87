// One case of an accuracy line: a measured step beside what was said of it.
#pragma once

#include <cmath>
#include <string>

#include "sextant/predict/observation.h"
#include "sextant/stats/accuracy.h"

namespace sextant::predict {

inline stats::AccuracyLine::Case judged(const std::string& group, const Observation& row, double log_total,
                                        double half_width) {
  const double off = log_total - std::log(row.seconds);
  return {.group = group,
          .mode = row.labels.mode,
          .error = std::abs(std::exp(off) - 1),
          .covered = std::abs(off) <= half_width,
          .half_width = std::sinh(half_width)};
}

}  // namespace sextant::predict
