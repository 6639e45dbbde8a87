// At each coordinate the mean without the f largest and the f smallest values. Yin et al., ICML 2018.
#include "by_coordinate.h"
#include "rule_parts.h"

namespace sextant::robust::rule_trimmed_mean {
namespace {

class TrimmedMean final : public AggregationRule {
 public:
  explicit TrimmedMean(std::size_t threads) : threads_(threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const std::size_t last = round.updates.size() - 1;
    aggregate_ranks(round.updates, {round.attackers, last - round.attackers}, threads_, out);
  }

 private:
  std::size_t threads_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "trimmed-mean";
  info.summary = "the mean at each coordinate without the f largest and the f smallest values";
  info.reference = "Yin et al., ICML 2018";
  info.parameters = {attackers_parameter(), bucket_parameter()};
  info.aliases = {"tm"};
  info.most_attackers = less_than_half;
  info.cost = "n d log^2 n";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<TrimmedMean>(setup.threads);
  };
  return {info};
}

}  // namespace sextant::robust::rule_trimmed_mean
