#include "checks.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::stats {

std::string fault_of(double value) {
  if (std::isnan(value)) return "is NaN";
  if (std::isinf(value)) return "is infinite";
  if (std::abs(value) > kLargest) return "is too large (" + number_text(value) + ")";
  return "";
}

void check_count(std::size_t count, std::size_t least, const std::string& subject) {
  if (count >= least) return;
  throw InputError({},
                   subject + " needs at least " + std::to_string(least) +
                       (least == 1 ? " value" : " values") + ", got " + std::to_string(count),
                   count == 0 ? "the sample is empty; was everything filtered out?" : "add measurements");
}

void check_values(std::span<const double> values, const std::string& subject) {
  check_count(values.size(), 1, subject);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const std::string fault = fault_of(values[i]); !fault.empty()) {
      throw InputError({}, subject + ": value " + std::to_string(i + 1) + " " + fault,
                       "remove such values first; magnitudes up to 1e150 are allowed");
    }
  }
}

void check_same_length(std::size_t a, std::size_t b, const std::string& subject) {
  if (a == b) return;
  throw InputError({}, subject + ": lengths differ (" + std::to_string(a) + " and " + std::to_string(b) + ")",
                   "each value needs its partner");
}

void check_weights(std::span<const double> weights, std::size_t count, const std::string& subject) {
  check_same_length(count, weights.size(), subject + " weights");
  bool any = false;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::string fault = weights[i] < 0 ? "is negative" : fault_of(weights[i]);
    if (!fault.empty()) {
      throw InputError({}, subject + ": weight " + std::to_string(i + 1) + " " + fault,
                       "weights are finite and at least 0");
    }
    any = any || weights[i] > 0;
  }
  if (!any)
    throw InputError({}, subject + ": all weights are 0", "give at least one value a positive weight");
}

void check_probability(double p, const std::string& subject) {
  if (p >= 0 && p <= 1) return;
  throw InputError({}, subject + ": probability " + number_text(p) + " is outside [0, 1]",
                   "write 95 % as 0.95");
}

void check_level(double level) {
  if (level > 0 && level < 1) return;
  throw InputError({}, "confidence level " + number_text(level) + " is not between 0 and 1",
                   "write 95 % as 0.95");
}

bool all_equal(std::span<const double> values) {
  return std::ranges::all_of(values, [&](double v) { return v == values.front(); });
}

}  // namespace sextant::stats
