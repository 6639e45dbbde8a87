#include "sextant/stats/power.h"

#include <boost/math/distributions/non_central_f.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <cmath>
#include <cstdint>

#include "boost_policy.h"
#include "checks.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/stats/distributions.h"

namespace sextant::stats {
namespace {

constexpr std::int64_t kMost = 1'000'000;
constexpr double kCertain = 37;  // standard errors: no double tells the power from 1

void check(const PowerQuestion& q) {
  stats::check_level(q.level);
  if (!(q.sd > 0) || !std::isfinite(q.sd)) {
    throw InputError({}, "power: standard deviation " + number_text(q.sd) + " is not positive and finite",
                     "it needs runs that were repeated");
  }
  if (!std::isfinite(q.difference)) throw InputError("power: the difference is not finite");
  if (q.groups < 2) throw InputError({}, "power: fewer than two groups", "a difference is between two means");
}

void check_power(const PowerQuestion& q, double power) {
  check(q);
  if (power > 1 - q.level && power < 1) return;
  throw InputError({}, "power " + number_text(power) + " is not between the chance of a false alarm and 1",
                   "0.8 and 0.9 are usual");
}

double two_sample_power(double shift, double df, double level) {
  const double critical = two_sided_quantile(StudentT{df}, level);
  if (shift > critical + kCertain) return 1;
  const bm::non_central_t_distribution<double, Quiet> t(df, shift);
  return bm::cdf(bm::complement(t, critical)) + bm::cdf(t, -critical);
}

double f_power(double lambda, double df1, double df2, double level) {
  const double critical = upper_quantile(FisherF{df1, df2}, 1 - level);
  if (lambda == 0) return 1 - level;
  if (std::sqrt(lambda) > std::sqrt(df1 * critical) + kCertain) return 1;
  const bm::non_central_f_distribution<double, Quiet> f(df1, df2, lambda);
  return bm::cdf(bm::complement(f, critical));
}

}  // namespace

double power_of(const PowerQuestion& q, std::int64_t n) {
  check(q);
  if (n < 2)
    throw InputError({}, "power with fewer than two repetitions", "nothing would say what chance does");
  const double effect = std::abs(q.difference) / q.sd;
  const auto count = static_cast<double>(n);
  const auto groups = static_cast<double>(q.groups);
  if (q.groups == 2) return two_sample_power(effect * std::sqrt(count / 2), 2 * count - 2, q.level);
  return f_power(count * effect * effect / 2, groups - 1, groups * (count - 1), q.level);
}

std::optional<std::int64_t> repetitions_for(const PowerQuestion& question, double power) {
  check_power(question, power);
  std::int64_t enough = 2;
  while (enough < kMost && power_of(question, enough) < power) enough *= 2;
  if (power_of(question, enough) < power) return std::nullopt;
  std::int64_t too_few = enough == 2 ? 1 : enough / 2;
  while (enough - too_few > 1) {
    const std::int64_t middle = (enough + too_few) / 2;
    (power_of(question, middle) >= power ? enough : too_few) = middle;
  }
  if (enough > kMost) return std::nullopt;
  return enough;
}

}  // namespace sextant::stats
