#include "sextant/parallel/oracle.h"

#include <algorithm>
#include <tuple>

namespace sextant {
namespace {

std::vector<StrategyValues> variants_of(const StrategyInfo& strategy, const StrategyQuery& query) {
  std::vector<StrategyValues> values;
  if (strategy.variants != nullptr) values = strategy.variants(query, default_values(strategy));
  if (values.empty()) values.push_back(default_values(strategy));
  return values;
}

// Usable and fitting, usable, not usable; then by time (or by what is missing); ties keep their order.
std::tuple<int, double> rank_of(const StrategyResult& result) {
  if (!result) return {2, 0.0};
  if (result->fill > 1) return {1, result->fill};
  return {0, result->step().value};
}

bool before(const Candidate& a, const Candidate& b) {
  return rank_of(a.result) < rank_of(b.result);
}

void append(std::vector<Candidate>& list, const StrategyInfo& strategy, const StrategyQuery& query) {
  for (const StrategyValues& values : variants_of(strategy, query)) {
    const StrategyChoice choice{&strategy, values};
    list.push_back({choice, strategy_cost(choice, query)});
  }
}

}  // namespace

std::vector<Candidate> enumerate_strategies(const StrategyQuery& query, std::span<const std::string> ids) {
  std::vector<Candidate> list;
  if (ids.empty()) {
    for (const StrategyInfo& strategy : strategies().all()) append(list, strategy, query);
  }
  for (const std::string& id : ids) append(list, strategies().get(id), query);
  std::ranges::stable_sort(list, before);
  return list;
}

Candidate best_variant(const StrategyInfo& strategy, const StrategyQuery& query) {
  std::vector<Candidate> list;
  append(list, strategy, query);
  return *std::ranges::min_element(list, before);
}

}  // namespace sextant
