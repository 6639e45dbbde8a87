// The point whose distances to all updates have the least sum, by Weiszfeld's iteration with smoothed distances. Pillutla,
// Kakade, Harchaoui, IEEE TSP 2022 (RFA). It starts from the median at each coordinate, which no minority can move far.
#include <cmath>
#include <numeric>

#include "by_coordinate.h"
#include "rule_parts.h"

namespace sextant::robust::rule_geometric_median {
namespace {

class GeometricMedian final : public AggregationRule {
 public:
  explicit GeometricMedian(const RuleSetup& setup)
      : iterations_(setup.parameters.count("iterations")),
        smoothing_(setup.parameters.number("smoothing")),
        threads_(setup.threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const Updates& updates = round.updates;
    const std::size_t n = updates.size();
    aggregate_ranks(updates, {(n - 1) / 2, n / 2}, threads_, out);
    std::vector<double> distances(n);
    for (std::size_t i = 0; i < n; ++i) distances[i] = out.verdicts[i].score;
    const double unit = median_of(distances);
    std::vector<float> next;
    std::vector<double> weights(n, 1 / static_cast<double>(n));
    for (std::int64_t k = 0; k < iterations_ && unit > 0; ++k) {
      weigh(distances, smoothing_ * unit, weights);
      weighted_sum(updates, weights, threads_, next);
      const double moved = length_between(out.values, next);
      out.values.swap(next);
      const std::vector<double> squares = squared_distances(updates, out.values, threads_);
      for (std::size_t i = 0; i < n; ++i) distances[i] = std::sqrt(squares[i]);
      if (moved < kStill * unit) break;
    }
    for (std::size_t i = 0; i < n; ++i) out.verdicts[i] = {.weight = weights[i], .score = distances[i]};
  }

 private:
  static constexpr double kStill = 1e-6;  // of the median distance: the iteration has ended

  static void weigh(const std::vector<double>& distances, double least, std::vector<double>& weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 / std::max(distances[i], least);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= total;
  }

  double length_between(const std::vector<float>& a, const std::vector<float>& b) const {
    const Updates one{.dimension = a.size(), .rows = {{.values = a}}};
    return std::sqrt(squared_distances(one, b, threads_).front());
  }

  std::int64_t iterations_;
  double smoothing_;
  std::size_t threads_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "geometric-median";
  info.summary = "the point with the least sum of distances to all updates";
  info.reference = "Pillutla, Kakade, Harchaoui, IEEE TSP 2022 (RFA)";
  info.parameters = {
      count_parameter("iterations", "of Weiszfeld at most", {.fallback = 50, .low = 1, .high = 1e4}),
      number_parameter("smoothing", "least distance, in median distances", {.fallback = 1e-6, .low = 1e-12, .high = 1}),
      bucket_parameter()};
  info.aliases = {"geomed", "rfa"};
  info.most_attackers = less_than_half;
  info.cost = "n d for each iteration";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<GeometricMedian>(setup);
  };
  return {info};
}

}  // namespace sextant::robust::rule_geometric_median
