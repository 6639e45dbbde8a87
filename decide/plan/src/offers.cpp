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

Offer offer_of(const clusters::Pool& pool, const Quote& quote, const ClusterEvaluation& evaluation) {
  Offer offer{.pool = pool,
              .region = quote.region,
              .price = static_cast<double>(pool.nodes()) * quote.rate,
              .step = evaluation.prediction,
              .global_batch = evaluation.global_batch,
              .time = {},
              .time_low = {},
              .time_high = {},
              .cost = {}};
  offer.pool.hour_price = quote.rate * kHour / static_cast<double>(pool.per_node);
  return offer;
}

Renting renting_of(const catalog::Catalog& catalog, const catalog::Machine& machine, const Market& market) {
  const catalog::Provider provider = provider_of(catalog, machine);
  return {.startup = market.startup.value_or(provider.startup),
          .minimum = market.minimum_billing.value_or(provider.minimum),
          .increment = provider.increment};
}

// Whether the stack of the job is known to run on the machine's GPUs; what the catalogue does not know is
// refused elsewhere.
bool stack_runs_on(const Training& training, const catalog::Machine& machine) {
  const catalog::Gpu* gpu = machine.gpu_known ? training.catalog.gpus.find(machine.gpu) : nullptr;
  if (gpu == nullptr) return true;
  return training.steps != nullptr ? training.steps->runs_on(*gpu)
                                   : training.predictor.runs_on(training.job, *gpu);
}

// All numbers of machines of one type.
class MachineOffers {
 public:
  MachineOffers(const Training& training, const Market& market)
      : training_(training), market_(market), evaluator_(training, market) {}

  void add(const catalog::Machine& machine) {
    const auto quote = quote_of(machine, market_);
    const bool supported = stack_runs_on(training_, machine);
    offers_.configurations += std::ssize(market_.counts);
    for (const std::int64_t count : market_.counts) {
      if (!quote) {
        refusals_.add(parallel::Limit::price, machine.id + " has no such price", 0);
      } else if (!supported && market_.machines.empty()) {
        const std::string what =
            training_.steps != nullptr ? "large language models are" : training_.job.stack + " is";
        refusals_.add(parallel::Limit::device,
                      machine.id + ": " + what + " not known to run on " + machine.gpu, 0);
      } else {
        add(machine, count, *quote, supported);
      }
    }
  }

  Offers take() {
    offers_.refusals = refusals_.take();
    return std::move(offers_);
  }

 private:
  void add(const catalog::Machine& machine, std::int64_t count, const Quote& quote, bool supported) {
    const ClusterEvaluation& evaluation = evaluator_.evaluate(machine, count);
    if (evaluation.refused) {
      const std::string where = std::to_string(count) + " x " + machine.id;
      refusals_.add(*evaluation.refused, where + ": " + evaluation.reason, evaluation.excess);
      if (evaluation.above_most) ++offers_.above_most;
      return;
    }
    Offer offer = offer_of(evaluator_.pool_of(machine, count), quote, evaluation);
    offer.renting = renting_of(training_.catalog, machine, market_);
    offer.supported = supported;
    jobs::Job whole = evaluation.job;  // as if one device had all samples of a step
    whole.sizes.batch = evaluation.global_batch;
    whole.layout = {};
    offer.set_steps(step_count(whole, *training_.job.duration));
    offers_.list.push_back(std::move(offer));
  }

  const Training& training_;
  const Market& market_;
  ClusterEvaluator evaluator_;
  Refusals refusals_;
  Offers offers_;
};

}  // namespace

Seconds Renting::billed(Seconds time) const {
  const Seconds least = std::max(time, minimum);
  if (increment <= Seconds{} || !std::isfinite(least.value)) return least;
  return std::ceil(least / increment) * increment;
}

void Offer::set_steps(std::int64_t steps) {
  const auto n = static_cast<double>(steps);
  time = renting.startup + n * step.iteration;
  time_low = renting.startup + n * step.interval.low;
  time_high = step.interval.high ? renting.startup + n * *step.interval.high
                                 : Seconds{std::numeric_limits<double>::infinity()};
  cost = cost_of(time);
}

std::vector<StrategyVerdict> compare_strategies(const Training& training, const Market& market,
                                                const Offer& offer) {
  return ClusterEvaluator(training, market)
      .compare(training.catalog.machines.get(offer.pool.machine), offer.pool.nodes());
}

Offers find_offers(const Training& training, const Market& market, Progress& progress) {
  check_region(training.catalog, market.region);
  MachineOffers offers(training, market);
  const auto machines = machines_of(training.catalog, market);
  std::int64_t done = 0;
  for (const catalog::Machine* machine : machines) {
    offers.add(*machine);
    progress.step(++done, std::ssize(machines), machine->id);
  }
  return offers.take();
}

}  // namespace sextant::plan
