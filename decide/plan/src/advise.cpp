#include "sextant/plan/advise.h"

#include <algorithm>
#include <limits>
#include <span>

namespace sextant::plan {
namespace {

bool keeps(const Offer& offer, const Wishes& wishes) {
  return (!wishes.deadline || counted_time(offer, wishes) <= *wishes.deadline) &&
         (!wishes.budget || counted_cost(offer, wishes) <= *wishes.budget);
}

// By the wish, then by the other of time and cost, then by name, so that equal offers have an order.
bool before(const RankedOffer& a, const RankedOffer& b, RankBy by) {
  const auto key = [by](const Offer& o) {
    return by == RankBy::cost ? std::tuple(o.cost.value, o.time.value, o.pool.nodes())
                              : std::tuple(o.time.value, o.cost.value, o.pool.nodes());
  };
  if (key(a.offer) != key(b.offer)) return key(a.offer) < key(b.offer);
  return a.offer.pool.machine < b.offer.pool.machine;
}

Seconds fastest_of(std::span<const RankedOffer> offers) {
  return std::ranges::min_element(offers, {}, [](const RankedOffer& r) { return r.offer.time; })->offer.time;
}

void rank(std::vector<RankedOffer>& offers, RankBy by) {
  const auto in_order = [](RankBy key) {
    return [key](const RankedOffer& a, const RankedOffer& b) { return before(a, b, key); };
  };
  std::ranges::stable_sort(offers, in_order(by));
  if (by == RankBy::cost) return;
  const Seconds limit = kSameTime * fastest_of(offers);
  const auto slower =
      std::ranges::partition_point(offers, [limit](const RankedOffer& r) { return r.offer.time <= limit; });
  std::stable_sort(offers.begin(), slower, in_order(RankBy::cost));
}

// Going from the fastest to the slowest, an offer is on the front if it is cheaper than all faster ones.
void mark_front(std::vector<RankedOffer>& ranked) {
  std::vector<RankedOffer*> by_time;
  for (auto& r : ranked) by_time.push_back(&r);
  std::ranges::stable_sort(
      by_time, [](const RankedOffer* a, const RankedOffer* b) { return before(*a, *b, RankBy::time); });
  double cheapest = std::numeric_limits<double>::infinity();
  for (RankedOffer* r : by_time) {
    r->on_front = r->offer.cost.value < cheapest;
    cheapest = std::min(cheapest, r->offer.cost.value);
  }
}

// The same machine under another name is no alternative.
std::optional<std::size_t> other_machine(const std::vector<RankedOffer>& ranked) {
  const Offer& first = ranked.front().offer;
  for (std::size_t i = 1; i < ranked.size(); ++i) {
    const Offer& other = ranked[i].offer;
    const bool same = other.cost == first.cost && other.time == first.time;
    if (other.pool.machine != first.pool.machine && !same) return i;
  }
  return std::nullopt;
}

// The constraint that an offer breaks most.
Tightest broken_by(const Offer& offer, const Wishes& wishes) {
  const double late = wishes.deadline ? counted_time(offer, wishes) / *wishes.deadline : 0;
  const double dear = wishes.budget ? counted_cost(offer, wishes) / *wishes.budget : 0;
  if (late >= dear) return {.constraint = "deadline", .factor = late, .nearest = offer};
  return {.constraint = "budget", .factor = dear, .nearest = offer};
}

Tightest tightest_constraint(const Offers& offers, const Wishes& wishes) {
  std::optional<Tightest> nearest;
  for (const Offer& offer : offers.list) {
    Tightest broken = broken_by(offer, wishes);
    if (!nearest || broken.factor < nearest->factor) nearest = std::move(broken);
  }
  if (nearest) return *nearest;
  if (offers.refusals.empty()) return {.constraint = "machines"};
  // Memory is a matter of degree, the others are not: of those, the one that stops most.
  const auto memory = std::ranges::find(offers.refusals, parallel::Limit::memory, &Refusal::limit);
  if (memory != offers.refusals.end())
    return {.constraint = "memory", .factor = memory->excess, .refusal = *memory};
  const auto most = std::ranges::max_element(offers.refusals, {}, &Refusal::configurations);
  return {.constraint = to_string(most->limit), .refusal = *most};
}

}  // namespace

std::string name_of(const Offer& offer) {
  return std::to_string(offer.pool.nodes()) + " x " + offer.pool.machine;
}

Seconds counted_time(const Offer& offer, const Wishes& wishes) {
  return wishes.safe ? offer.time_high : offer.time;
}

Dollars counted_cost(const Offer& offer, const Wishes& wishes) {
  return offer.cost_of(counted_time(offer, wishes));
}

std::optional<Successor> successor(const Advice& advice) {
  if (!advice.runner_up) return std::nullopt;
  const Offer& first = advice.ranked.front().offer;
  const auto slower_until = [&first](Seconds whole) {
    return (whole - first.renting.startup) / (first.time - first.renting.startup) - 1;
  };
  const Offer& second = advice.ranked[*advice.runner_up].offer;
  if (advice.wishes.by == RankBy::cost) return Successor{slower_until(second.cost / first.price), &second};
  // It stays the first while it is nearly as fast as the fastest of the others, and cheaper than those.
  const std::span others = std::span(advice.ranked).subspan(*advice.runner_up);
  const Seconds limit = kSameTime * fastest_of(others);
  const Offer* next = nullptr;
  for (const RankedOffer& r : others) {
    if (r.offer.time <= limit && (next == nullptr || r.offer.cost < next->cost)) next = &r.offer;
  }
  Seconds until = limit;
  if (first.price > DollarRate{} && next->cost > first.cost)
    until = std::min(until, next->cost / first.price);
  return Successor{slower_until(until), next};
}

Advice advise(const Offers& offers, const Wishes& wishes) {
  Advice advice{.wishes = wishes, .ranked = {}};
  advice.offers = offers.list.size();
  for (const Offer& offer : offers.list) {
    if (keeps(offer, wishes)) advice.ranked.push_back({offer, false});
  }
  if (advice.ranked.empty()) {
    advice.tightest = tightest_constraint(offers, wishes);
    return advice;
  }
  rank(advice.ranked, wishes.by);
  mark_front(advice.ranked);
  advice.runner_up = other_machine(advice.ranked);
  return advice;
}

}  // namespace sextant::plan
