#include "sextant/parallel/oracle.h"

#include <algorithm>
#include <tuple>

#include "parts.h"

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

constexpr double kNearPerfect = 1.01;

// Every device busy with an equal share of the samples and nothing else.
Seconds perfect_step(const StrategyQuery& query) {
  const Workload& load = slowest_load(query);
  return load.step(query.batch / static_cast<double>(query.placement.total()));
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

const Candidate& best_of(std::span<const Candidate> candidates) {
  return *std::ranges::min_element(candidates, before);
}

Candidate best_variant(const StrategyInfo& strategy, const StrategyQuery& query) {
  std::vector<Candidate> list;
  append(list, strategy, query);
  return best_of(list);
}

Candidate best_strategy(const StrategyQuery& query) {
  std::vector<Candidate> list;
  append(list, strategies().get("data"), query);
  const StrategyResult& data = list.front().result;
  if (data && data->fill <= 1 && data->step() <= kNearPerfect * perfect_step(query)) return list.front();
  for (const StrategyInfo& strategy : strategies().all()) {
    if (strategy.id != "data") append(list, strategy, query);
  }
  const auto stale = [](const Candidate& c) { return c.result && c.result->staleness > 0; };
  std::erase_if(list, stale);
  return best_of(list);
}

}  // namespace sextant
