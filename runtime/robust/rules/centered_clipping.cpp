// Centered clipping: from the aggregate of the round before, v moves by the mean of the differences x - v,
// each shortened to a radius, several times. Karimireddy, He, Jaggi, ICML 2021. In the first round v is zero.
// A radius that is not given is the median of the distances from v.
#include <cmath>

#include "flat_math.h"
#include "rule_parts.h"

namespace sextant::robust::rule_centered_clipping {
namespace {

class CenteredClipping final : public AggregationRule {
 public:
  explicit CenteredClipping(const RuleSetup& setup)
      : radius_(setup.parameters.number("radius")),
        iterations_(setup.parameters.count("iterations")),
        threads_(setup.threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const Updates& updates = round.updates;
    const std::size_t n = updates.size();
    if (center_.size() != updates.dimension) center_.assign(updates.dimension, 0);
    out.verdicts.assign(n, {});
    for (std::int64_t k = 0; k < iterations_; ++k) {
      step(updates, out.verdicts);
      center_.swap(next_);
    }
    out.values = center_;
  }

  [[nodiscard]] RuleMemory memory() const override {
    if (center_.empty()) return {};
    return {.clients = {-1}, .values = center_};
  }
  void remember(const RuleMemory& memory) override { center_ = memory.values; }

 private:
  // v + sum of c (x - v) / n, which is sum of (c / n) x + (1 - sum of c / n) v.
  void step(const Updates& updates, std::vector<Verdict>& verdicts) {
    const std::size_t n = updates.size();
    std::vector<double> distances = squared_distances(updates, center_, threads_);
    for (double& distance : distances) distance = std::sqrt(distance);
    const double most = radius_ > 0 ? radius_ : median_of(distances);
    std::vector<double> weights(n + 1);
    weights[n] = 1;
    for (std::size_t i = 0; i < n; ++i) {
      weights[i] = (distances[i] > most ? most / distances[i] : 1) / static_cast<double>(n);
      weights[n] -= weights[i];
      verdicts[i] = {.weight = weights[i], .score = distances[i]};
    }
    Updates with_center = updates;
    with_center.rows.push_back({.values = center_});
    weighted_sum(with_center, weights, threads_, next_);
  }

  double radius_;
  std::int64_t iterations_;
  std::size_t threads_;
  std::vector<float> center_;
  std::vector<float> next_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "centered-clipping";
  info.summary = "moves the last aggregate by the mean of differences that are shortened where they are long";
  info.reference = "Karimireddy, He, Jaggi, ICML 2021";
  ParameterInfo radius = number_parameter("radius", "longest difference; median: of this round",
                                          {.fallback = 0, .low = 0, .high = 1e12});
  radius.words = {{.name = "median", .value = 0}};
  info.parameters = {radius,
                     count_parameter("iterations", "in a round", {.fallback = 3, .low = 1, .high = 1000}),
                     bucket_parameter()};
  info.aliases = {"cclip", "cc"};
  info.claims = {.translation_equivariant = false, .keeps_memory = true};
  info.most_attackers = less_than_half;
  info.cost = "n d for each iteration";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<CenteredClipping>(setup);
  };
  return {info};
}

}  // namespace sextant::robust::rule_centered_clipping
