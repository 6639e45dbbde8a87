// SignGuard: updates whose length is far from the median are left out, and those whose shares of positive,
// zero and negative values are not in the largest cluster; the mean of the rest, none longer than the median.
// Xu et al., ICDCS 2022.
#include <algorithm>
#include <cmath>

#include "flat_math.h"
#include "largest_cluster.h"
#include "rule_parts.h"

namespace sextant::robust::rule_sign_guard {
namespace {

class SignGuard final : public AggregationRule {
 public:
  explicit SignGuard(const RuleSetup& setup)
      : share_(setup.parameters.share("coordinates")),
        shortest_(setup.parameters.number("shortest")),
        longest_(setup.parameters.number("longest")),
        threads_(setup.threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const Updates& updates = round.updates;
    const std::size_t n = updates.size();
    const std::vector<double> lengths = norms(updates, threads_);
    const double middle = median_of(lengths);
    std::vector<bool> good(n);
    for (std::size_t i = 0; i < n; ++i)
      good[i] = lengths[i] >= shortest_ * middle && lengths[i] <= longest_ * middle;
    keep_alike(updates, round.rng, good);
    const auto count = static_cast<double>(std::ranges::count(good, true));
    std::vector<double> weights(n, 0);
    out.verdicts.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (good[i]) weights[i] = (lengths[i] > middle ? middle / lengths[i] : 1) / count;
      const double apart = middle > 0 && lengths[i] > 0 ? std::abs(std::log(lengths[i] / middle)) : 0;
      out.verdicts[i] = {.weight = weights[i], .score = apart, .flagged = !good[i]};
    }
    weighted_sum(updates, weights, threads_, out.values);
  }

 private:
  // Takes out of `good` what is not in the largest cluster, unless nothing would be left.
  void keep_alike(const Updates& updates, const Rng& rng, std::vector<bool>& good) const {
    const auto count = static_cast<std::size_t>(std::ceil(share_ * static_cast<double>(updates.dimension)));
    const std::vector<std::size_t> coordinates =
        draw_coordinates(updates.dimension, count, rng.stream("signs"));
    std::vector<Point3> points;
    for (const Update& row : updates.rows) points.push_back(sign_shares(row.values, coordinates));
    std::vector<bool> both(good.size(), false);
    for (const std::size_t i : largest_cluster(points)) both[i] = good[i];
    if (std::ranges::count(both, true) > 0) good = both;
  }

  static Point3 sign_shares(std::span<const float> values, const std::vector<std::size_t>& coordinates) {
    std::array<std::size_t, 3> counts = {};
    for (const std::size_t k : coordinates) ++counts[values[k] > 0 ? 0 : values[k] < 0 ? 2 : 1];
    Point3 shares = {};
    const auto all = static_cast<double>(std::max<std::size_t>(coordinates.size(), 1));
    for (std::size_t s = 0; s < shares.size(); ++s) shares[s] = static_cast<double>(counts[s]) / all;
    return shares;
  }

  double share_;
  double shortest_;
  double longest_;
  std::size_t threads_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "sign-guard";
  info.summary = "leaves out odd lengths and odd shares of signs, and shortens the rest";
  info.reference = "Xu et al., ICDCS 2022";
  info.parameters = {share_parameter("coordinates", "share of the coordinates whose signs are counted",
                                     {.fallback = 0.1, .low = 1e-6, .high = 1}),
                     number_parameter("shortest", "length of a usable update, in medians",
                                      {.fallback = 0.1, .low = 0, .high = 1}),
                     number_parameter("longest", "length of a usable update, in medians",
                                      {.fallback = 3, .low = 1, .high = 1e6}),
                     bucket_parameter()};
  info.aliases = {"signguard"};
  info.claims = {.translation_equivariant = false};
  info.most_attackers = less_than_half;
  info.cost = "n d + n^2";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<SignGuard>(setup);
  };
  return {info};
}

}  // namespace sextant::robust::rule_sign_guard
