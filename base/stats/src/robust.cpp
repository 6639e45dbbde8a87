#include "sextant/stats/robust.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "checks.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/stats/quantiles.h"
#include "sextant/stats/summary.h"
#include "sum.h"

namespace sextant::stats {
namespace {

// 1 / (0.75-quantile of the standard normal), and sqrt(pi / 2): each turns a mean or median of
// absolute deviations into a standard deviation of normal data.
constexpr double kMadToSd = 1.4826022185056018;
constexpr double kMeanDeviationToSd = 1.2533141373155003;

std::vector<double> sorted_copy(std::span<const double> values, const char* subject) {
  stats::check_values(values, subject);
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

std::vector<double> distances(std::span<const double> values, double centre) {
  std::vector<double> out(values.size());
  std::ranges::transform(values, out.begin(), [&](double v) { return std::abs(v - centre); });
  return out;
}

// Doubles in the order of their values, as integers, so that 64 halvings reach any of them.
std::uint64_t order_key(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // + 0.0: one zero only
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}
double from_order_key(std::uint64_t key) {
  return std::bit_cast<double>((key >> 63) != 0 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

// Number of pairs i <= j of the sorted values with (x_i + x_j) / 2 <= limit, by one sweep.
std::uint64_t pairs_up_to(std::span<const double> sorted, double limit) {
  std::uint64_t count = 0;
  std::size_t end = sorted.size();  // x_i pairs with every j < end
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    while (end > 0 && (sorted[i] + sorted[end - 1]) / 2 > limit) --end;
    if (end <= i) break;
    count += end - i;
  }
  return count;
}

double nth_pair_mean(std::span<const double> sorted, std::uint64_t rank) {
  std::uint64_t low = order_key(sorted.front());
  std::uint64_t high = order_key(sorted.back());
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (pairs_up_to(sorted, from_order_key(middle)) >= rank) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return from_order_key(low);
}

// Sum of the deviations from `centre`, each clipped at +-reach: falls, in straight pieces, as the
// centre grows.
double clipped_pull(std::span<const double> values, double centre, double reach) {
  stats::CompensatedSum pull;
  for (const double v : values) pull.add(std::clamp(v - centre, -reach, reach));
  return pull.value();
}

}  // namespace

double median(std::span<const double> values) {
  const auto sorted = sorted_copy(values, "median");
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double mad(std::span<const double> values) {
  return kMadToSd * median(distances(values, median(values)));
}

double hodges_lehmann(std::span<const double> values) {
  const auto sorted = sorted_copy(values, "Hodges-Lehmann location");
  const std::uint64_t n = sorted.size();
  const std::uint64_t pairs = n * (n + 1) / 2;
  const double upper = nth_pair_mean(sorted, pairs / 2 + 1);
  return pairs % 2 == 1 ? upper : (nth_pair_mean(sorted, pairs / 2) + upper) / 2;
}

double huber_location(std::span<const double> values, double clip) {
  if (!(clip > 0 && clip <= 1e6)) {
    throw InputError({}, "Huber clip " + number_text(clip) + " is not in (0, 1e6]", "the usual is 1.345");
  }
  const double reach = clip * mad(values);
  if (reach == 0) return median(values);
  std::vector<double> knots;
  for (const double v : values) {
    knots.push_back(v - reach);
    knots.push_back(v + reach);
  }
  std::ranges::sort(knots);
  const double slack = 1e-12 * reach * static_cast<double>(values.size());  // rounding of the pull
  const auto knots_with_pull_above = [&](double limit) {
    return std::ranges::partition_point(
        knots, [&](double knot) { return clipped_pull(values, knot, reach) > limit; });
  };
  // The estimate lies between the last knot that still pulls upwards and the next one. The first
  // knot pulls up and the last one down, as each has every value on one side.
  const auto next = knots_with_pull_above(slack);
  const double right_pull = clipped_pull(values, *next, reach);
  if (right_pull >= -slack) {  // 0 here, and perhaps for a while: the middle of the flat piece
    return (*next + *(knots_with_pull_above(-slack) - 1)) / 2;
  }
  const double left = *(next - 1);
  const double left_pull = clipped_pull(values, left, reach);
  return left + (*next - left) * (left_pull / (left_pull - right_pull));
}

double trimmed_mean(std::span<const double> values, double fraction) {
  if (!(fraction >= 0 && fraction < 0.5)) {
    throw InputError({}, "trimmed fraction " + number_text(fraction) + " is not in [0, 0.5)",
                     "0.1 leaves out a tenth at each end");
  }
  const auto sorted = sorted_copy(values, "trimmed mean");
  // 0.29 of 100 is meant as 29, but the product is just below.
  const auto cut = std::min(static_cast<std::size_t>(fraction * static_cast<double>(sorted.size()) + 1e-9),
                            (sorted.size() - 1) / 2);
  return mean(std::span(sorted).subspan(cut, sorted.size() - 2 * cut));
}

std::vector<double> modified_z_scores(std::span<const double> values) {
  const double centre = median(values);
  double scale = mad(values);
  if (scale == 0) scale = kMeanDeviationToSd * mean(distances(values, centre));
  std::vector<double> scores(values.size(), 0.0);
  if (scale == 0) return scores;
  std::ranges::transform(values, scores.begin(), [&](double v) { return (v - centre) / scale; });
  return scores;
}

std::vector<bool> outlier_marks(std::span<const double> values, double threshold) {
  if (!(threshold > 0)) {
    throw InputError({}, "outlier threshold " + number_text(threshold) + " is not positive",
                     "the usual is 3.5");
  }
  std::vector<bool> marks;
  for (const double score : modified_z_scores(values)) marks.push_back(std::abs(score) > threshold);
  return marks;
}

}  // namespace sextant::stats
