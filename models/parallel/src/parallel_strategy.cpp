#include "sextant/parallel/parallel_strategy.h"

#include <algorithm>
#include <cmath>

#include "parts.h"

namespace sextant::parallel {

namespace {

ParallelResult one_device(const ParallelQuery& query) {
  const Workload& load = slowest_load(query);
  ParallelCost cost;
  cost.compute = load.step(query.batch) - load.terms().input;
  cost.input = load.terms().input;
  set_memory(cost, query, memory_of(load.terms(), {load.total().weights, query.batch * load.total().kept}));
  return cost;
}

}  // namespace

ParallelResult strategy_cost(const ParallelChoice& choice, const ParallelQuery& query) {
  const std::string& id = choice.strategy->id;
  const std::int64_t devices = query.placement.total();
  if (devices < 1) return Infeasible{Limit::device, id + ": there is no device"};
  if (!(query.batch >= 1) || std::isinf(query.batch)) {
    return Infeasible{Limit::batch,
                      id + ": a batch of " + number_text(query.batch) + " has no sample to handle"};
  }
  if (devices == 1) return one_device(query);
  if (query.placement.nodes() > 1 && !query.fabric.across) {
    return Infeasible{Limit::link,
                      id + ": no network joins the " + std::to_string(query.placement.nodes()) + " nodes"};
  }
  return choice.strategy->cost(query, choice.parameters);
}

}  // namespace sextant::parallel
