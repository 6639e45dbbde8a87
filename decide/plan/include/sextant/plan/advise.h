// Advice: the offers that keep a deadline and a budget, ranked, with the Pareto front of time and cost, the
// runner-up, and what stands in the way if nothing fits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/plan/offers.h"

namespace sextant::plan {

// By time, offers that are nearly as fast as the fastest count as fast, and the cheapest of them is the
// first: machines whose price buys next to no time are no advice.
enum class RankBy { cost, time };
inline constexpr double kSameTime = 1.05;  // times the fastest

struct Wishes {
  std::optional<Seconds> deadline = {};
  std::optional<Dollars> budget = {};
  RankBy by = RankBy::cost;
  bool safe = false;  // the upper end of the interval has to keep the limits, not the prediction
};

struct RankedOffer {
  Offer offer;
  bool on_front = false;  // no other is both faster and cheaper
};

// What has to give so that something fits, if nothing does: the constraint that has to give least, and of
// offers that break several, the one that they break most.
struct Tightest {
  std::string constraint;               // "memory", "deadline", "budget", "network", ...
  double factor = 0;                    // by which it is missed at least; 0: not a matter of degree
  std::optional<Offer> nearest = {};    // the offer that misses deadline or budget least
  std::optional<Refusal> refusal = {};  // where nothing could be offered; none: there are no machines
};

struct Advice {
  Wishes wishes = {};
  std::vector<RankedOffer> ranked;            // those that keep the wishes, best first
  std::optional<std::size_t> runner_up = {};  // in `ranked`: the best of another machine type
  std::optional<Tightest> tightest = {};      // only if `ranked` is empty
  std::size_t offers = 0;                     // before wishes
};

Advice advise(const Offers& offers, const Wishes& wishes);

// What would be the first if steps of the first were slower than predicted, and by how much they have to be:
// 0.1 is a tenth. The time to start does not change. Nothing for a single offer.
struct Successor {
  double slower = 0;
  const Offer* offer = nullptr;
};
std::optional<Successor> successor(const Advice& advice);

// Time and cost as the wishes count them: predicted, or at the upper end.
Seconds counted_time(const Offer& offer, const Wishes& wishes);
Dollars counted_cost(const Offer& offer, const Wishes& wishes);

// "2 x aws/p3.16xlarge"
std::string name_of(const Offer& offer);

}  // namespace sextant::plan
