// Krum: the update whose n - f - 2 nearest others are nearest. Blanchard et al., NIPS 2017.
#include "krum_scores.h"
#include "rule_parts.h"

namespace sextant::robust::rule_krum {
namespace {

class Krum final : public AggregationRule {
 public:
  explicit Krum(std::size_t threads) : threads_(threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    Selection selection{.scores = krum_scores(PairDistances(round.updates, threads_), round.attackers)};
    selection.chosen = smallest(selection.scores, 1);
    average_selected(round.updates, selection, threads_, out);
    // Krum takes one and says nothing of the others: flagged are those that its bound calls attackers.
    const std::size_t trusted = round.updates.size() - round.attackers;
    for (Verdict& verdict : out.verdicts) verdict.flagged = false;
    const std::vector<std::size_t> order = smallest(selection.scores, round.updates.size());
    for (std::size_t k = trusted; k < order.size(); ++k) out.verdicts[order[k]].flagged = true;
  }

 private:
  std::size_t threads_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "krum";
  info.summary = "the one update whose nearest others are nearest";
  info.reference = "Blanchard et al., NIPS 2017";
  info.parameters = {attackers_parameter(), bucket_parameter()};
  info.most_attackers = krum_bound;
  info.cost = "n^2 d";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<Krum>(setup.threads);
  };
  return {info};
}

}  // namespace sextant::robust::rule_krum
