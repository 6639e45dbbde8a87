// The median at each coordinate; of an even number the mean of the two in the middle. Yin et al., ICML 2018.
#include "by_coordinate.h"
#include "rule_parts.h"

namespace sextant::robust::rule_median {
namespace {

class Median final : public AggregationRule {
 public:
  explicit Median(std::size_t threads) : threads_(threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const std::size_t n = round.updates.size();
    aggregate_ranks(round.updates, {(n - 1) / 2, n / 2}, threads_, out);
  }

 private:
  std::size_t threads_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "median";
  info.summary = "the median at each coordinate";
  info.reference = "Yin et al., ICML 2018";
  info.parameters = {bucket_parameter()};
  info.aliases = {"coordinate-median", "cm"};
  info.most_attackers = less_than_half;
  info.cost = "n d log^2 n";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<Median>(setup.threads);
  };
  return {info};
}

}  // namespace sextant::robust::rule_median
