#include "sextant/stats/studentized_range.h"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/text.h"

namespace sextant::stats {
namespace {

constexpr double kStep = 0.125;       // of the inner integral, in standard deviations
constexpr double kReach = 9;          // beyond it the normal density is below 3e-18
constexpr double kLargestRange = 70;  // exp(-w^2/4) is below the smallest double
constexpr double kNegligible = 1e-20;
constexpr double kNormalLimit = 1e12;  // degrees of freedom that are as good as infinite

double normal_below(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

// Range of k standard normals: k times the integral of phi(z) [Phi(z) - Phi(z - w)]^(k-1).
class NormalRange {
 public:
  explicit NormalRange(double groups) : groups_(groups) {
    for (double z = -kReach; z <= kLargestRange / 2 + kReach; z += kStep) {
      density_.push_back(std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi));
      below_.push_back(normal_below(z));
    }
  }

  // Above w: Phi^(k-1) - (Phi - b)^(k-1) = -Phi^(k-1) expm1((k-1) log1p(-b/Phi)) keeps its digits.
  [[nodiscard]] double upper(double w) const {
    if (w >= kLargestRange) return 0;
    return integral(w, [&](double all, double beyond) {
      return -std::pow(all, groups_ - 1) * std::expm1((groups_ - 1) * std::log1p(-beyond / all));
    });
  }
  [[nodiscard]] double lower(double w) const {
    if (w >= kLargestRange) return 1;
    return integral(w, [&](double all, double beyond) { return std::pow(all - beyond, groups_ - 1); });
  }

 private:
  template <class Inside>
  [[nodiscard]] double integral(double w, const Inside& inside) const {
    const double last = w / 2 + kReach;
    double total = 0;
    for (std::size_t i = 0; i < density_.size(); ++i) {
      const double z = -kReach + kStep * static_cast<double>(i);
      if (z > last) break;
      total += density_[i] * inside(below_[i], std::min(normal_below(z - w), below_[i]));
    }
    return std::min(1.0, groups_ * kStep * total);
  }

  double groups_;
  std::vector<double> density_;
  std::vector<double> below_;
};

// Sum over the logarithm u of the scale s of exp(df (u - (s^2 - 1) / 2)) value(s): the density of s, up to a
// factor that is the same sum of 1. Outwards from `centre` until nothing is added.
template <class Value>
double scale_sum(double df, double centre, const Value& value) {
  const double step = std::min(0.1, 0.3 / std::sqrt(2 * df));
  const auto term = [&](double u) {
    const double weight = std::exp(df * (u - std::expm1(2 * u) / 2));
    return weight == 0 ? 0 : weight * value(std::exp(u));
  };
  double total = term(centre);
  for (const double direction : {-1.0, 1.0}) {
    for (double i = 1;; ++i) {
      const double added = term(centre + direction * i * step);
      total += added;
      if (added <= kNegligible * total) break;
    }
  }
  return total;
}

void check(StudentizedRange d, double q) {
  if (!(d.groups >= 2) || !std::isfinite(d.groups)) {
    throw InputError({}, "studentized range of " + number_text(d.groups) + " means", "at least 2");
  }
  if (!(d.df > 0)) {
    throw InputError({}, "degrees of freedom " + number_text(d.df) + " are not positive",
                     "too few values for the number of means?");
  }
  if (std::isnan(q)) throw InputError("argument of a distribution is NaN");
}

double upper_of(const NormalRange& range, double df, double q) {
  if (df >= kNormalLimit) return range.upper(q);
  // exp(-q^2 s^2 / 4) of the range moves the peak.
  const double centre = 0.5 * std::log(df / (df + q * q / 2));
  const double top = scale_sum(df, centre, [&](double s) { return range.upper(q * s); });
  return std::min(1.0, top / scale_sum(df, 0, [](double) { return 1.0; }));
}

}  // namespace

double cdf(StudentizedRange d, double q) {
  check(d, q);
  if (q <= 0) return 0;
  if (q == kInfinity) return 1;
  const NormalRange range(d.groups);
  if (d.df >= kNormalLimit) return range.lower(q);
  const double top = scale_sum(d.df, 0, [&](double s) { return range.lower(q * s); });
  return std::min(1.0, top / scale_sum(d.df, 0, [](double) { return 1.0; }));
}

double upper_tail(StudentizedRange d, double q) {
  check(d, q);
  if (q <= 0) return 1;
  return q == kInfinity ? 0 : upper_of(NormalRange(d.groups), d.df, q);
}

double upper_quantile(StudentizedRange d, double p) {
  check(d, p);
  if (!(p > 0 && p < 1)) {
    throw InputError({}, "probability " + number_text(p) + " is not between 0 and 1", "write 5 % as 0.05");
  }
  const NormalRange range(d.groups);
  const double wanted = std::log(p);
  const auto excess = [&](double q) {
    const double tail = upper_of(range, d.df, q);
    return (tail > 0 ? std::log(tail) : -1e3) - wanted;
  };
  double high = 4;
  while (excess(high) > 0) high *= 2;
  double low = high / 2;
  while (low > 1e-300 && excess(low) < 0) low /= 2;
  std::uintmax_t most = 100;
  const auto [left, right] = boost::math::tools::toms748_solve(
      excess, low, high, boost::math::tools::eps_tolerance<double>(46), most);
  return (left + right) / 2;
}

}  // namespace sextant::stats
