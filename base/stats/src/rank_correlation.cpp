// Spearman's rho and Kendall's tau-b with their p values.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "checks.h"
#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/ranks.h"
#include "sextant/stats/summary.h"

namespace sextant::stats {
namespace {

constexpr std::size_t kMostOrders = 9;       // 9! orders are counted one by one
constexpr std::size_t kMostInversions = 50;  // beyond it the normal is as good

void check_pairs(std::span<const double> a, std::span<const double> b, std::size_t least,
                 const std::string& subject) {
  stats::check_values(a, subject);
  stats::check_values(b, subject);
  stats::check_same_length(a.size(), b.size(), subject);
  stats::check_count(a.size(), least, subject + ": pairs");
  if (stats::all_equal(a) || stats::all_equal(b)) {
    throw InputError({}, subject + ": one side never changes",
                     "an order needs at least two different values");
  }
}

// Share of all orders of 1..n whose sum of squared differences is at least as far from its mean.
double exact_spearman_p(std::size_t n, double squared_differences) {
  const auto count = static_cast<double>(n);
  const double middle = (count * count * count - count) / 6;
  const double off = std::abs(squared_differences - middle) - 1e-6;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  double orders = 0;
  double far = 0;
  do {
    int sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      sum += (order[i] - static_cast<int>(i)) * (order[i] - static_cast<int>(i));
    ++orders;
    far += std::abs(sum - middle) >= off ? 1 : 0;
  } while (std::ranges::next_permutation(order).found);
  return far / orders;
}

// Of all orders of n, the share with at most `inversions`; the shares themselves by the recursion over n.
double inversion_share(std::size_t n, std::size_t inversions) {
  std::vector<double> share(inversions + 1, 0);
  share[0] = 1;
  for (std::size_t m = 2; m <= n; ++m) {
    // With m items: the mean of the last m entries of the table for m - 1.
    std::vector<double> next(inversions + 1, 0);
    for (std::size_t k = 0; k <= inversions; ++k) {
      for (std::size_t j = 0; j < m && j <= k; ++j) next[k] += share[k - j];
      next[k] /= static_cast<double>(m);
    }
    share = std::move(next);
  }
  return std::accumulate(share.begin(), share.end(), 0.0);
}

struct PairCounts {
  double concordant_less_discordant = 0;
  double discordant = 0;
  double tied_a = 0;  // pairs
  double tied_b = 0;
};

PairCounts count_pairs(std::span<const double> a, std::span<const double> b) {
  PairCounts counts;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = i + 1; j < a.size(); ++j) {
      const int sign_a = (a[i] > a[j]) - (a[i] < a[j]);
      const int sign_b = (b[i] > b[j]) - (b[i] < b[j]);
      counts.concordant_less_discordant += sign_a * sign_b;
      counts.discordant += sign_a * sign_b < 0 ? 1 : 0;
      counts.tied_a += sign_a == 0 ? 1 : 0;
      counts.tied_b += sign_b == 0 ? 1 : 0;
    }
  }
  return counts;
}

// Sums over the runs of t equal values that the variance needs.
struct TieSums {
  double twos = 0;    // t (t - 1)
  double threes = 0;  // t (t - 1) (t - 2)
  double cubes = 0;   // t (t - 1) (2 t + 5)
};

TieSums tie_sums(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  TieSums sums;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sorted[end] == sorted[begin]) ++end;
    const auto t = static_cast<double>(end - begin);
    sums.twos += t * (t - 1);
    sums.threes += t * (t - 1) * (t - 2);
    sums.cubes += t * (t - 1) * (2 * t + 5);
    begin = end;
  }
  return sums;
}

double normal_kendall_p(std::span<const double> a, std::span<const double> b, double s) {
  const auto n = static_cast<double>(a.size());
  const TieSums x = tie_sums(a);
  const TieSums y = tie_sums(b);
  double variance =
      (n * (n - 1) * (2 * n + 5) - x.cubes - y.cubes) / 18 + x.twos * y.twos / (2 * n * (n - 1));
  if (n > 2) variance += x.threes * y.threes / (9 * n * (n - 1) * (n - 2));
  return std::min(1.0, 2 * upper_tail(Normal{}, std::abs(s) / std::sqrt(variance)));
}

}  // namespace

RankCorrelation spearman(std::span<const double> a, std::span<const double> b) {
  check_pairs(a, b, 3, "Spearman's rank correlation");
  const RankedSample x = ranked(a);
  const RankedSample y = ranked(b);
  RankCorrelation result{.value = correlation(x.ranks, y.ranks), .pairs = a.size()};
  if (x.tie_term == 0 && y.tie_term == 0 && a.size() <= kMostOrders) {
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      squares += (x.ranks[i] - y.ranks[i]) * (x.ranks[i] - y.ranks[i]);
    result.p = exact_spearman_p(a.size(), squares);
    return result;
  }
  result.method = RankPMethod::student_t;
  const double df = static_cast<double>(a.size()) - 2;
  const double rest = (1 - result.value) * (1 + result.value);
  const double t = rest > 0 ? result.value * std::sqrt(df / rest) : std::numeric_limits<double>::infinity();
  result.p = two_sided_p(StudentT{df}, t);
  return result;
}

RankCorrelation kendall(std::span<const double> a, std::span<const double> b) {
  check_pairs(a, b, 2, "Kendall's rank correlation");
  const PairCounts counts = count_pairs(a, b);
  const auto n = static_cast<double>(a.size());
  const double pairs = n * (n - 1) / 2;
  const double s = counts.concordant_less_discordant;
  RankCorrelation result{.pairs = a.size()};
  result.value = s / (std::sqrt(pairs - counts.tied_a) * std::sqrt(pairs - counts.tied_b));
  if (counts.tied_a == 0 && counts.tied_b == 0 && a.size() <= kMostInversions) {
    const double fewer = std::min(counts.discordant, pairs - counts.discordant);
    result.p = std::min(1.0, 2 * inversion_share(a.size(), static_cast<std::size_t>(fewer)));
    return result;
  }
  result.method = RankPMethod::normal;
  result.p = normal_kendall_p(a, b, s);
  return result;
}

}  // namespace sextant::stats
