#include "sextant/parallel/oracle.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "parts.h"

namespace sextant::parallel {
namespace {

std::vector<Parameters> variants_of(const ParallelStrategyInfo& strategy, const ParallelQuery& query) {
  std::vector<Parameters> variants;
  if (strategy.variants != nullptr) variants = strategy.variants(query, Parameters(strategy));
  if (variants.empty()) variants.emplace_back(strategy);
  return variants;
}

// Usable and fitting, usable, not usable; then by time (or by what is missing); ties keep their order.
std::tuple<int, double> rank_of(const ParallelResult& result) {
  if (!result) return {2, 0.0};
  if (result->fill > 1) return {1, result->fill};
  return {0, result->step().value};
}

bool before(const Candidate& a, const Candidate& b) {
  return rank_of(a.result) < rank_of(b.result);
}

// What a strategy has to gain over a simpler one to be worth its trouble: below the error of any prediction.
constexpr double kWorthwhile = 0.95;

Seconds all_layers(const ParallelQuery& query) {
  const Workload& load = slowest_load(query);
  const double samples = query.batch / static_cast<double>(query.placement.total());
  return load.total().forward_of(samples) + load.total().backward_of(samples) + load.terms().input;
}

// Those that leave the network whole on every device, then the others by name.
std::vector<const ParallelStrategyInfo*> simplest_first() {
  std::vector<const ParallelStrategyInfo*> order;
  for (const char* id : {"data", "zero-1", "zero-2", "zero-3"})
    order.push_back(&parallel_strategies().get(id));
  for (const ParallelStrategyInfo& strategy : parallel_strategies().all()) {
    if (std::ranges::find(order, &strategy) == order.end()) order.push_back(&strategy);
  }
  return order;
}

bool fits(const Candidate& candidate) {
  return candidate.result && candidate.result->fill <= 1;
}

bool cannot_beat(const Candidate& best, const ParallelQuery& query, const ParallelChoice& choice) {
  const auto at_least = choice.strategy->at_least;
  const Seconds floor = at_least == nullptr ? all_layers(query) : at_least(query, choice.parameters);
  return floor > kWorthwhile * best.result->step();
}

bool worthwhile(const Candidate& next, const Candidate& best) {
  if (!fits(next) || !fits(best)) return before(next, best);
  return rank_of(next.result) < std::tuple(0, kWorthwhile * std::get<1>(rank_of(best.result)));
}

void append(std::vector<Candidate>& list, const ParallelStrategyInfo& strategy, const ParallelQuery& query) {
  for (const Parameters& parameters : variants_of(strategy, query)) {
    const ParallelChoice choice{&strategy, parameters};
    list.push_back({choice, strategy_cost(choice, query)});
  }
}

}  // namespace

void rank(std::vector<Candidate>& candidates) {
  std::ranges::stable_sort(candidates, before);
}

const Candidate& best_of(std::span<const Candidate> candidates) {
  return *std::ranges::min_element(candidates, before);
}

Candidate best_variant(const ParallelStrategyInfo& strategy, const ParallelQuery& query) {
  std::vector<Candidate> list;
  append(list, strategy, query);
  return best_of(list);
}

Candidate best_strategy(const ParallelQuery& query) {
  std::vector<const ParallelStrategyInfo*> order = simplest_first();
  if (query.devices.size() == 1) std::erase(order, &parallel_strategies().get("hetpipe"));
  std::optional<Candidate> best;
  for (const ParallelStrategyInfo* strategy : order) {
    for (const Parameters& parameters : variants_of(*strategy, query)) {
      if (best && fits(*best) && cannot_beat(*best, query, {strategy, parameters})) continue;
      Candidate next{{strategy, parameters}, strategy_cost({strategy, parameters}, query)};
      if (next.result && next.result->staleness > 0) continue;
      if (!best || worthwhile(next, *best)) best = std::move(next);
    }
  }
  return *best;
}

}  // namespace sextant::parallel
