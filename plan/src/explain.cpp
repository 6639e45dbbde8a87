#include "explain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant {
namespace {

// ResNet-50 trains in as many epochs as with small batches up to here (Goyal et al. 2017, arXiv 1706.02677).
constexpr std::int64_t kProvenBatch = 8192;

std::string percent(double share) {
  const double value = 100 * share;
  const double rounded = value < 10 ? std::round(10 * value) / 10 : std::round(value);
  return number_text(rounded) + " %";
}

double value_of(const Offer& offer, RankBy by) {
  return by == RankBy::cost ? offer.cost.value : offer.time.value;
}

std::string value_text(const Offer& offer, RankBy by) {
  return by == RankBy::cost ? human(offer.cost) : human(offer.time);
}

std::string limits_text(const Wishes& wishes) {
  std::string text;
  if (wishes.deadline) text += " within " + human(*wishes.deadline);
  if (wishes.budget)
    text += std::string(text.empty() ? "" : " and") + " for at most " + human(*wishes.budget);
  if (wishes.safe && !text.empty()) text += ", at the upper end of the interval";
  return text;
}

// "data parallelism" reads better than a bare id.
std::string strategy_text(const Offer& offer) {
  return offer.step.strategy.empty() ? "one GPU" : offer.step.strategy + " (" + offer.step.layout + ")";
}

// The nearest offer that would win if the deadline were shorter than the winner's time.
const RankedOffer* faster_than(const Advice& advice, Seconds time) {
  for (const auto& r : advice.ranked) {
    if (r.offer.time < time) return &r;
  }
  return nullptr;
}

void add_margin(const Advice& advice, const Wishes& wishes, std::vector<std::string>& lines) {
  if (!advice.runner_up) return;
  const Offer& first = advice.ranked.front().offer;
  const Offer& second = advice.ranked[*advice.runner_up].offer;
  const double margin = value_of(second, wishes.by) / value_of(first, wishes.by) - 1;
  const bool inside = first.time_high > (1 + margin) * first.time;
  lines.push_back("a step of " + name_of(first) + " that is " + percent(margin) + " slower than predicted" +
                  (inside ? ", which its 90 % interval allows," : ", outside its 90 % interval,") +
                  " makes " + name_of(second) + " the first");
  if (wishes.by == RankBy::cost && first.price > DollarRate{}) {
    lines.push_back("so does a price of more than " +
                    human((1 + margin) / static_cast<double>(first.machines) * first.price) + " for " +
                    first.machine->id);
  }
}

void add_deadline(const Advice& advice, const Wishes& wishes, std::vector<std::string>& lines) {
  if (wishes.by != RankBy::cost) return;
  const Offer& first = advice.ranked.front().offer;
  const RankedOffer* faster = faster_than(advice, first.time);
  if (faster == nullptr) return;
  lines.push_back("a deadline shorter than " + human(first.time) + " makes it " + name_of(faster->offer) +
                  " with " + strategy_text(faster->offer) + ": " + human(faster->offer.time) + ", " +
                  human(faster->offer.cost));
}

struct Violation {
  std::string constraint;
  double factor = 1;
  std::string sentence;
};

// How far one offer is from the wishes: the worst of deadline and budget.
Violation violation_of(const Offer& offer, const Wishes& wishes) {
  const double late = wishes.deadline ? counted_time(offer, wishes) / *wishes.deadline : 0;
  const double dear = wishes.budget ? counted_cost(offer, wishes) / *wishes.budget : 0;
  const std::string takes = name_of(offer) + " with " + strategy_text(offer) + " takes " +
                            human(counted_time(offer, wishes)) + " and " + human(counted_cost(offer, wishes));
  if (late >= dear) return {"deadline", late, takes + ", against a deadline of " + human(*wishes.deadline)};
  return {"budget", dear, takes + ", against a budget of " + human(*wishes.budget)};
}

}  // namespace

std::string name_of(const Offer& offer) {
  return std::to_string(offer.machines) + " x " + offer.machine->id;
}

std::string reason_of(const Advice& advice, const Wishes& wishes) {
  const Offer& first = advice.ranked.front().offer;
  const char* best = wishes.by == RankBy::cost ? "the cheapest" : "the fastest";
  const std::size_t offers = advice.ranked.size();
  std::string text = name_of(first) + " with " + strategy_text(first) + " is " +
                     (offers == 1 ? "the only offer" : best + (" of " + std::to_string(offers)) + " offers") +
                     limits_text(wishes) + ": " + value_text(first, wishes.by);
  if (advice.runner_up) {
    const Offer& second = advice.ranked[*advice.runner_up].offer;
    text += ", " + percent(1 - value_of(first, wishes.by) / value_of(second, wishes.by)) +
            (wishes.by == RankBy::cost ? " below" : " less than") + " the runner-up, " + name_of(second) +
            " with " + strategy_text(second) + " (" + human(second.time) + ", " + human(second.cost) + ")";
  }
  return text;
}

std::vector<std::string> changes_of(const Advice& advice, const Wishes& wishes) {
  std::vector<std::string> lines;
  add_margin(advice, wishes, lines);
  add_deadline(advice, wishes, lines);
  return lines;
}

std::vector<std::string> cautions_of(const Offer& first, const Wishes& wishes) {
  std::vector<std::string> lines;
  if (wishes.deadline && !wishes.safe && first.time_high > *wishes.deadline) {
    lines.push_back("its 90 % interval reaches " + human(first.time_high) +
                    ", beyond the deadline; --safe leaves such offers out");
  }
  if (wishes.budget && !wishes.safe && first.price * first.time_high > *wishes.budget) {
    lines.push_back("its 90 % interval reaches " + human(first.price * first.time_high) +
                    ", beyond the budget; --safe leaves such offers out");
  }
  if (first.global_batch > kProvenBatch) {
    lines.push_back("a batch of " + std::to_string(first.global_batch) +
                    " may need more epochs than a small one; --max-global-batch sets a bound");
  }
  return lines;
}

Tightest tightest_constraint(const Offers& offers, const Wishes& wishes) {
  if (!offers.list.empty()) {
    std::optional<Violation> nearest;
    for (const Offer& offer : offers.list) {
      const Violation v = violation_of(offer, wishes);
      if (!nearest || v.factor < nearest->factor) nearest = v;
    }
    return {nearest->constraint, nearest->factor, nearest->sentence};
  }
  if (offers.refusals.empty()) return {"machines", 0, "the catalogue has no machine with a GPU"};
  // Memory is a matter of degree, the others are not: of those, the one that stops most.
  const auto memory = std::ranges::find(offers.refusals, Limit::memory, &Refusal::limit);
  if (memory != offers.refusals.end()) return {"memory", memory->excess, memory->example};
  const auto most = std::ranges::max_element(offers.refusals, {}, &Refusal::configurations);
  return {to_string(most->limit), 0, most->example};
}

}  // namespace sextant
