#include "sextant/stats/hypothesis.h"

#include <cmath>
#include <string>

#include "checks.h"
#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/text.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/summary.h"
#include "sum.h"

namespace sextant::stats {
namespace {

// top / bottom, where no scatter below makes any difference above infinitely clear.
double ratio(double top, double bottom) {
  if (bottom > 0) return top / bottom;
  return top == 0 ? 0 : std::copysign(kInfinity, top);
}

TTest t_test(double difference, double standard_error, double df, double level) {
  TTest test{.difference = difference, .standard_error = standard_error, .df = df};
  test.t = ratio(difference, standard_error);
  test.p = two_sided_p(StudentT{df}, test.t);
  const double half = two_sided_quantile(StudentT{df}, level) * standard_error;
  test.interval = {difference - half, difference + half};
  return test;
}

FTest f_test(double top, double df1, double bottom, double df2) {
  FTest test{.f = ratio(top / df1, bottom / df2), .df1 = df1, .df2 = df2};
  test.p = upper_tail(FisherF{df1, df2}, test.f);
  return test;
}

void check_residual_sum(ResidualSum s) {
  const std::string fault = s.rss < 0 ? "is negative" : (std::isfinite(s.rss) ? "" : "is not finite");
  if (!fault.empty()) throw InputError("comparison of models: a residual sum of squares " + fault);
}

void check_counts(std::span<const double> observed, std::span<const double> expected) {
  stats::check_values(observed, "chi-square test, observed counts");
  stats::check_values(expected, "chi-square test, expected counts");
  stats::check_same_length(observed.size(), expected.size(), "chi-square test");
  for (std::size_t i = 0; i < observed.size(); ++i) {
    if (observed[i] < 0) {
      throw InputError({}, "chi-square test: observed count " + std::to_string(i + 1) + " is negative",
                       "give counts, not deviations");
    }
    if (expected[i] <= 0) {
      throw InputError({}, "chi-square test: expected count " + std::to_string(i + 1) + " is not positive",
                       "merge that cell with a neighbour");
    }
  }
  const double total = sum(observed);
  if (std::abs(total - sum(expected)) > 1e-6 * total) {
    throw InputError({},
                     "chi-square test: observed counts sum to " + number_text(total) + ", expected ones to " +
                         number_text(sum(expected)),
                     "multiply the expected shares by the number of observations");
  }
}

}  // namespace

TTest paired_t_test(std::span<const double> a, std::span<const double> b, double level) {
  stats::check_values(a, "paired test, first sample");
  stats::check_values(b, "paired test, second sample");
  stats::check_same_length(a.size(), b.size(), "paired test");
  stats::check_count(a.size(), 2, "paired test");
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = a[i] - b[i];
  const auto n = static_cast<double>(a.size());
  return t_test(mean(differences), standard_deviation(differences) / std::sqrt(n), n - 1, level);
}

FTest one_way_f_test(std::span<const std::vector<double>> groups) {
  if (groups.size() < 2) {
    throw InputError({}, "one-way F test needs at least 2 groups, got " + std::to_string(groups.size()),
                     "to compare with a fixed value use an interval of the mean");
  }
  std::vector<double> all;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    stats::check_values(groups[g], "one-way F test, group " + std::to_string(g + 1));
    all.insert(all.end(), groups[g].begin(), groups[g].end());
  }
  if (all.size() <= groups.size()) {
    throw InputError({}, "one-way F test has as many groups as values", "some group needs a second value");
  }
  const double centre = mean(all);
  stats::CompensatedSum between;
  stats::CompensatedSum within;
  for (const auto& group : groups) {
    const double own = mean(group);
    between.add(static_cast<double>(group.size()) * (own - centre) * (own - centre));
    within.add(stats::centred_square_sum(group, own));
  }
  const auto k = static_cast<double>(groups.size());
  return f_test(between.value(), k - 1, within.value(), static_cast<double>(all.size()) - k);
}

FTest compare_nested(ResidualSum smaller, ResidualSum larger) {
  check_residual_sum(smaller);
  check_residual_sum(larger);
  if (!(larger.df >= 1) || !(smaller.df > larger.df)) {
    throw InputError({},
                     "comparison of models: degrees of freedom " + number_text(smaller.df) + " and " +
                         number_text(larger.df) + " do not fall to at least 1",
                     "the larger model has more terms, and fewer than there are rows");
  }
  const double gain = smaller.rss - larger.rss;
  if (gain < -1e-9 * smaller.rss) {
    throw InputError({}, "comparison of models: the larger model fits worse, so the two are not nested",
                     "the larger model must contain every term of the smaller one");
  }
  return f_test(std::fmax(gain, 0.0), smaller.df - larger.df, larger.rss, larger.df);
}

FTest compare_nested(const OlsFit& smaller, const OlsFit& larger) {
  stats::check_same_length(smaller.rows, larger.rows, "comparison of models: rows");
  return compare_nested(ResidualSum{smaller.rss, smaller.df}, ResidualSum{larger.rss, larger.df});
}

ChiSquareTest chi_square_fit(std::span<const double> observed, std::span<const double> expected,
                             std::size_t fitted) {
  check_counts(observed, expected);
  if (observed.size() < fitted + 2) {
    throw InputError({},
                     "chi-square test has no degrees of freedom: " + std::to_string(observed.size()) +
                         " cells, " + std::to_string(fitted) + " fitted parameters",
                     "use more cells");
  }
  ChiSquareTest test;
  stats::CompensatedSum statistic;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double off = observed[i] - expected[i];
    statistic.add(off * (off / expected[i]));
    test.small_cells += expected[i] < 5 ? 1 : 0;
  }
  test.statistic = statistic.value();
  test.df = static_cast<double>(observed.size() - fitted - 1);
  test.p = upper_tail(ChiSquare{test.df}, test.statistic);
  return test;
}

}  // namespace sextant::stats
