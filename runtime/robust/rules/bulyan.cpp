// Bulyan: Krum's winner is taken out of the updates again and again until n - 2f are selected; then at each
// coordinate the mean of the n - 4f selected values closest to their median. El Mhamdi, Guerraoui, Rouault,
// ICML 2018.
#include <numeric>

#include "krum_scores.h"
#include "middle_window.h"
#include "rule_parts.h"

namespace sextant::robust::rule_bulyan {
namespace {

class Bulyan final : public AggregationRule {
 public:
  explicit Bulyan(std::size_t threads) : threads_(threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const Updates& updates = round.updates;
    const std::size_t n = updates.size();
    const std::size_t f = round.attackers;
    const PairDistances distances(updates, threads_);
    const std::vector<std::size_t> selected = select(distances, n - 2 * f, f);
    Updates chosen{.dimension = updates.dimension};
    for (const std::size_t i : selected) chosen.rows.push_back(updates.rows[i]);
    const std::size_t keep = chosen.size() > 2 * f ? chosen.size() - 2 * f : 1;
    out.values.resize(updates.dimension);
    for_sorted_columns(chosen, {0, chosen.size() - 1}, threads_, [&](const SortedBlock& block) {
      mean_closest_to_median(block, chosen.size(), keep,
                             std::span(out.values).subspan(block.first, block.count));
    });
    const std::vector<double> scores = krum_scores(distances, f);
    out.verdicts.assign(n, {.flagged = true});
    for (std::size_t i = 0; i < n; ++i) out.verdicts[i].score = scores[i];
    for (const std::size_t i : selected) {
      out.verdicts[i].weight = 1 / static_cast<double>(selected.size());
      out.verdicts[i].flagged = false;
    }
  }

 private:
  static std::vector<std::size_t> select(const PairDistances& distances, std::size_t count, std::size_t f) {
    std::vector<std::size_t> rest(distances.size());
    std::iota(rest.begin(), rest.end(), 0U);
    std::vector<std::size_t> selected;
    while (selected.size() < count) {
      if (rest.size() == 1) {
        selected.push_back(rest.front());
        break;
      }
      const std::size_t best = smallest(krum_scores(distances, rest, f), 1).front();
      selected.push_back(rest[best]);
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return selected;
  }

  std::size_t threads_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "bulyan";
  info.summary = "selects by Krum again and again, then averages the values nearest to the median";
  info.reference = "El Mhamdi, Guerraoui, Rouault, ICML 2018";
  info.parameters = {attackers_parameter(), bucket_parameter()};
  info.most_attackers = bulyan_bound;
  info.cost = "n^2 d + n^3 log n";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<Bulyan>(setup.threads);
  };
  return {info};
}

}  // namespace sextant::robust::rule_bulyan
