#include "sextant/plan/offers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "evaluation.h"

namespace sextant::plan {
namespace {

struct Quote {
  DollarRate rate;
  std::string region;
};

std::optional<DollarRate> rate_of(const catalog::Price& price, bool spot) {
  return spot ? price.spot : price.on_demand;
}

// The cheapest region, unless one is named.
std::optional<Quote> quote_of(const catalog::Machine& machine, const Market& market) {
  std::optional<Quote> best;
  for (const catalog::Price& price : machine.prices) {
    const auto rate = rate_of(price, market.spot);
    if (!rate || (!market.region.empty() && price.region != market.region)) continue;
    if (!best || *rate < best->rate) best = Quote{*rate, price.region};
  }
  return best;
}

std::vector<const catalog::Machine*> machines_of(const catalog::Catalog& catalog, const Market& market) {
  std::vector<const catalog::Machine*> machines;
  if (market.machines.empty()) {
    for (const catalog::Machine& machine : catalog.machines.all()) {
      const bool rentable = machine.listed && !machine.accelerator_only;
      if (machine.gpu_count > 0 && rentable) machines.push_back(&machine);
    }
    return machines;
  }
  for (const auto& id : market.machines) machines.push_back(&catalog.machines.get(id, at_field("machine")));
  return machines;
}

void check_region(const catalog::Catalog& catalog, const std::string& region) {
  std::set<std::string> regions;
  for (const catalog::Machine& machine : catalog.machines.all()) {
    for (const catalog::Price& price : machine.prices) regions.insert(price.region);
  }
  if (region.empty() || regions.contains(region)) return;
  const std::vector<std::string> known(regions.begin(), regions.end());
  throw InputError(at_field("region"), "no machine has a price in '" + region + "'",
                   name_hint(region, known));
}

// Keeps one example of each limit: of memory the one that is nearest to fitting.
class Refusals {
 public:
  void add(parallel::Limit limit, const std::string& example, double excess) {
    auto it = std::ranges::find(list_, limit, &Refusal::limit);
    if (it == list_.end()) it = list_.insert(list_.end(), Refusal{limit, 0, example, excess});
    ++it->configurations;
    if (excess < it->excess) {
      it->example = example;
      it->excess = excess;
    }
  }

  std::vector<Refusal> take() {
    std::ranges::sort(list_, {}, &Refusal::limit);
    return std::move(list_);
  }

 private:
  std::vector<Refusal> list_;
};

Offer offer_of(const Training& training, const clusters::Pool& pool, const Quote& quote,
               const ClusterEvaluation& evaluation) {
  const double steps = static_cast<double>(step_count(evaluation.job, *training.job.duration));
  const predict::Prediction& p = evaluation.prediction;
  Offer offer{.pool = pool,
              .region = quote.region,
              .price = static_cast<double>(pool.nodes()) * quote.rate,
              .step = p,
              .global_batch = evaluation.job.sizes.batch * evaluation.job.layout.devices(),
              .time = steps * p.iteration,
              .time_low = steps * p.interval.low,
              .time_high = Seconds{std::numeric_limits<double>::infinity()},
              .cost = {}};
  offer.pool.hour_price = quote.rate * kHour / static_cast<double>(pool.per_node);
  if (p.interval.high) offer.time_high = steps * *p.interval.high;
  offer.cost = offer.price * offer.time;
  return offer;
}

}  // namespace

std::vector<StrategyVerdict> compare_strategies(const Training& training, const Market& market,
                                                const Offer& offer) {
  return ClusterEvaluator(training, market)
      .compare(training.catalog.machines.get(offer.pool.machine), offer.pool.nodes());
}

Offers find_offers(const Training& training, const Market& market, Progress& progress) {
  check_region(training.catalog, market.region);
  ClusterEvaluator evaluator(training, market);
  Offers offers;
  Refusals refusals;
  const auto machines = machines_of(training.catalog, market);
  std::int64_t done = 0;
  for (const catalog::Machine* machine : machines) {
    const auto quote = quote_of(*machine, market);
    offers.configurations += std::ssize(market.counts);
    for (const std::int64_t count : market.counts) {
      if (!quote) {
        refusals.add(parallel::Limit::price, machine->id + " has no such price", 0);
        continue;
      }
      const ClusterEvaluation& evaluation = evaluator.evaluate(*machine, count);
      if (evaluation.refused) {
        const std::string where = std::to_string(count) + " x " + machine->id;
        refusals.add(*evaluation.refused, where + ": " + evaluation.reason, evaluation.excess);
        continue;
      }
      offers.list.push_back(offer_of(training, evaluator.pool_of(*machine, count), *quote, evaluation));
    }
    progress.step(++done, std::ssize(machines), machine->id);
  }
  offers.refusals = refusals.take();
  return offers;
}

}  // namespace sextant::plan
