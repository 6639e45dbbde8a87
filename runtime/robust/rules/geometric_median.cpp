// The point whose distances to all updates have the least sum. Pillutla, Kakade, Harchaoui, IEEE TSP 2022
// (RFA), by Weiszfeld's iteration in the form that gets away from an update on which it lands (Vardi, Zhang,
// PNAS 2000). It starts from the median at each coordinate, which no minority can move far.
#include <algorithm>
#include <cmath>

#include "by_coordinate.h"
#include "rule_parts.h"

namespace sextant::robust::rule_geometric_median {
namespace {

class GeometricMedian final : public AggregationRule {
 public:
  explicit GeometricMedian(const RuleSetup& setup)
      : iterations_(setup.parameters.count("iterations")),
        reached_(setup.parameters.number("reached")),
        threads_(setup.threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const Updates& updates = round.updates;
    const std::size_t n = updates.size();
    aggregate_ranks(updates, {(n - 1) / 2, n / 2}, threads_, out);
    std::vector<double> distances(n);
    for (std::size_t i = 0; i < n; ++i) distances[i] = out.verdicts[i].score;
    const double unit = median_of(distances);
    std::vector<double> weights(n, 1 / static_cast<double>(n));
    std::vector<float> next;
    for (std::int64_t k = 0; k < iterations_ && unit > 0; ++k) {
      const double moved = step({updates, out.values}, distances, reached_ * unit, {weights, next});
      out.values.swap(next);
      const std::vector<double> squares = squared_distances(updates, out.values, threads_);
      for (std::size_t i = 0; i < n; ++i) distances[i] = std::sqrt(squares[i]);
      if (moved < kStill * unit) break;
    }
    for (std::size_t i = 0; i < n; ++i) out.verdicts[i] = {.weight = weights[i], .score = distances[i]};
  }

 private:
  static constexpr double kStill = 1e-6;  // of the median distance: the iteration has ended

  struct From {
    const Updates& updates;
    const std::vector<float>& point;
  };
  struct To {
    std::vector<double>& weights;
    std::vector<float>& point;
  };

  // Towards the mean of the updates that are further than `least`, each by the inverse of its distance. Those
  // on the point itself, k of them, hold it back: by k parts of the pull's length. How far it went.
  double step(const From& from, const std::vector<double>& distances, double least, const To& to) const {
    const std::size_t n = distances.size();
    double total = 0;
    double here = 0;
    for (std::size_t i = 0; i < n; ++i) {
      to.weights[i] = distances[i] > least ? 1 / distances[i] : 0;
      total += to.weights[i];
      here += distances[i] > least ? 0 : 1;
    }
    if (!(total > 0)) {
      to.weights.assign(n, 1 / static_cast<double>(n));
      to.point = from.point;
      return 0;
    }
    for (double& weight : to.weights) weight /= total;
    weighted_sum(from.updates, to.weights, threads_, to.point);
    const double pulled = length_between(from.point, to.point);
    if (here == 0) return pulled;
    const double held = pulled > 0 ? std::min(1.0, here / (total * pulled)) : 1;
    for (std::size_t i = 0; i < n; ++i) {
      to.weights[i] = distances[i] > least ? (1 - held) * to.weights[i] : held / here;
    }
    weighted_sum(from.updates, to.weights, threads_, to.point);
    return (1 - held) * pulled;
  }

  double length_between(const std::vector<float>& a, const std::vector<float>& b) const {
    const Updates one{.dimension = a.size(), .rows = {{.values = a}}};
    return std::sqrt(squared_distances(one, b, threads_).front());
  }

  std::int64_t iterations_;
  double reached_;
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
      number_parameter("reached", "distance at which an update counts as reached, in median distances",
                       {.fallback = 1e-6, .low = 1e-12, .high = 1}),
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
