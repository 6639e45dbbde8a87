#include "sextant/stats/warm_up.h"

#include <limits>
#include <vector>

#include "checks.h"
#include "sextant/core/error.h"
#include "sextant/stats/summary.h"

namespace sextant::stats {
namespace {

constexpr std::size_t kLeastBatches = 4;

std::vector<double> batch_means(std::span<const double> values, std::size_t batch) {
  std::vector<double> means;
  for (std::size_t i = 0; i + batch <= values.size(); i += batch) {
    means.push_back(mean(values.subspan(i, batch)));
  }
  return means;
}

}  // namespace

WarmUp mser_warm_up(std::span<const double> values, std::size_t batch) {
  stats::check_values(values, "the series");
  if (batch == 0) throw InputError("a batch needs at least one value");
  const std::vector<double> y = batch_means(values, batch);
  if (y.size() < kLeastBatches) {
    throw InputError("a warm-up needs at least " + std::to_string(kLeastBatches * batch) +
                     " values; there are " + std::to_string(values.size()));
  }
  // Mean and sum of squares of y[d..] from those of y[d+1..] (Welford 1962), so that all cuts take one pass.
  WarmUp best;
  double least = std::numeric_limits<double>::infinity();
  double tail_mean = 0;
  double squares = 0;
  for (std::size_t d = y.size(); d-- > 0;) {
    const auto count = static_cast<double>(y.size() - d);
    const double delta = y[d] - tail_mean;
    tail_mean += delta / count;
    squares += delta * (y[d] - tail_mean);
    const double score = squares / (count * count);
    if (d > y.size() / 2 || score > least) continue;
    least = score;
    best = {.drop = d * batch, .settled = d < y.size() / 2, .mean = tail_mean};
  }
  return best;
}

}  // namespace sextant::stats
