// Multi-Krum: the mean of the m updates with the smallest scores of Krum. Blanchard et al., NIPS 2017, with m
// at most n - f - 2, which is what the result's bound rests on.
#include "krum_scores.h"
#include "rule_parts.h"

namespace sextant::robust::rule_multi_krum {
namespace {

class MultiKrum final : public AggregationRule {
 public:
  explicit MultiKrum(const RuleSetup& setup)
      : keep_(static_cast<std::size_t>(setup.parameters.count("m"))), threads_(setup.threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    Selection selection{.scores = krum_scores(PairDistances(round.updates, threads_), round.attackers)};
    const std::size_t n = round.updates.size();
    const std::size_t most = n > round.attackers + 2 ? n - round.attackers - 2 : 1;
    selection.chosen = smallest(selection.scores, keep_ == 0 ? most : std::min(keep_, most));
    average_selected(round.updates, selection, threads_, out);
  }

 private:
  std::size_t keep_;
  std::size_t threads_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "multi-krum";
  info.summary = "the mean of the updates whose nearest others are nearest";
  info.reference = "Blanchard et al., NIPS 2017";
  info.parameters = {
      attackers_parameter(),
      count_parameter("m", "updates that are averaged, at most n - f - 2; all: as many as that",
                      {.fallback = 0, .low = 0, .high = 1e6}, {{.name = "all", .value = 0}}),
      bucket_parameter()};
  info.aliases = {"multikrum"};
  info.most_attackers = krum_bound;
  info.cost = "n^2 d";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<MultiKrum>(setup);
  };
  return {info};
}

}  // namespace sextant::robust::rule_multi_krum
