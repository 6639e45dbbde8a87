#include "sextant/stats/robust.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "checks.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/stats/summary.h"

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

}  // namespace

double median(std::span<const double> values) {
  const auto sorted = sorted_copy(values, "median");
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double mad(std::span<const double> values) {
  return kMadToSd * median(distances(values, median(values)));
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
