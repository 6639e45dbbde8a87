#include "target.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "json_fields.h"
#include "sextant/core/error.h"
#include "sextant/core/json_place.h"
#include "sextant/stats/summary.h"

namespace sextant::learn {

double Target::forward(double y) const {
  return ((log ? std::log(y) : y) - mean) / sd;
}

double Target::back(double z) const {
  const double value = mean + sd * z;
  return log ? std::exp(std::clamp(value, -700.0, 700.0)) : value;
}

Target target_of(const std::vector<double>& y, const Parameters& parameters) {
  Target target;
  target.log = parameters.flag("relative");
  std::vector<double> values = y;
  if (target.log) std::ranges::transform(values, values.begin(), [](double v) { return std::log(v); });
  target.mean = stats::mean(values);
  const double sd = values.size() < 2 ? 0 : stats::standard_deviation(values);
  target.sd = sd > 0 ? sd : 1;
  return target;
}

Json target_json(const Target& target) {
  return {{"log", target.log ? 1 : 0}, {"mean", target.mean}, {"sd", target.sd}};
}

Target load_target(const Json& json) {
  const Target target{json_number(json, "log") != 0, json_number(json, "mean"), json_number(json, "sd")};
  if (target.sd <= 0) throw JsonFault(json, "sd", "is not positive");
  return target;
}

}  // namespace sextant::learn
