#include "advice_text.h"

#include <cmath>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/advice_report.h"

namespace sextant::report {
namespace {

std::string percent(double share) {
  const double value = 100 * share;
  const double rounded = value < 10 ? std::round(10 * value) / 10 : std::round(value);
  return number_text(rounded) + " %";
}

double value_of(const plan::Offer& offer, plan::RankBy by) {
  return by == plan::RankBy::cost ? offer.cost.value : offer.time.value;
}

std::string value_text(const plan::Offer& offer, plan::RankBy by) {
  return by == plan::RankBy::cost ? human(offer.cost) : human(offer.time);
}

std::string limits_text(const plan::Wishes& wishes) {
  std::string text;
  if (wishes.deadline) text += " within " + human(*wishes.deadline);
  if (wishes.budget)
    text += std::string(text.empty() ? "" : " and") + " for at most " + human(*wishes.budget);
  if (wishes.safe && !text.empty()) text += ", at the upper end of the interval";
  return text;
}

// "data parallelism" reads better than a bare id.
std::string strategy_text(const plan::Offer& offer) {
  return offer.step.strategy.empty() ? "one GPU" : offer.step.strategy + " (" + offer.step.degrees + ")";
}

// The nearest offer that would win if the deadline were shorter than the winner's time.
const plan::RankedOffer* faster_than(const plan::Advice& advice, Seconds time) {
  for (const auto& r : advice.ranked) {
    if (r.offer.time < time) return &r;
  }
  return nullptr;
}

Seconds training_time(const plan::Offer& offer) {
  return offer.time - offer.renting.startup;
}

// By how much the steps of the first have to be slower than predicted so that it is as dear, or takes as
// long, as the second. The time to start does not change.
double slower_step(const plan::Offer& first, const plan::Offer& second, plan::RankBy by) {
  const Seconds equal = by == plan::RankBy::cost ? second.cost / first.price : second.time;
  return (equal - first.renting.startup) / training_time(first) - 1;
}

void add_margin(const plan::Advice& advice, std::vector<std::string>& lines) {
  if (!advice.runner_up) return;
  const plan::Wishes& wishes = advice.wishes;
  const plan::Offer& first = advice.ranked.front().offer;
  const plan::Offer& second = advice.ranked[*advice.runner_up].offer;
  const double dearer = value_of(second, wishes.by) / value_of(first, wishes.by) - 1;
  const double margin = slower_step(first, second, wishes.by);
  const bool inside = first.time_high > first.renting.startup + (1 + margin) * training_time(first);
  lines.push_back("a step of " + name_of(first) + " that is " + percent(margin) + " slower than predicted" +
                  (inside ? ", which its 90 % interval allows," : ", outside its 90 % interval,") +
                  " makes " + name_of(second) + " the first");
  if (wishes.by == plan::RankBy::cost && first.price > DollarRate{}) {
    lines.push_back("so does a price of more than " +
                    human((1 + dearer) / static_cast<double>(first.pool.nodes()) * first.price) + " for " +
                    first.pool.machine);
  }
}

void add_deadline(const plan::Advice& advice, std::vector<std::string>& lines) {
  if (advice.wishes.by != plan::RankBy::cost) return;
  const plan::Offer& first = advice.ranked.front().offer;
  const plan::RankedOffer* faster = faster_than(advice, first.time);
  if (faster == nullptr) return;
  lines.push_back("a deadline shorter than " + human(first.time) + " makes it " + name_of(faster->offer) +
                  " with " + strategy_text(faster->offer) + ": " + human(faster->offer.time) + ", " +
                  human(faster->offer.cost));
}

}  // namespace

std::string reason_text(const plan::Advice& advice) {
  const plan::Wishes& wishes = advice.wishes;
  if (advice.ranked.empty()) return "";
  const plan::Offer& first = advice.ranked.front().offer;
  const char* best = wishes.by == plan::RankBy::cost ? "the cheapest" : "the fastest";
  const std::size_t offers = advice.ranked.size();
  std::string text = name_of(first) + " with " + strategy_text(first) + " is " +
                     (offers == 1 ? "the only offer" : best + (" of " + std::to_string(offers)) + " offers") +
                     limits_text(wishes) + ": " + value_text(first, wishes.by);
  if (advice.runner_up) {
    const plan::Offer& second = advice.ranked[*advice.runner_up].offer;
    text += ", " + percent(1 - value_of(first, wishes.by) / value_of(second, wishes.by)) +
            (wishes.by == plan::RankBy::cost ? " below" : " less than") + " the runner-up, " +
            name_of(second) + " with " + strategy_text(second) + " (" + human(second.time) + ", " +
            human(second.cost) + ")";
  }
  return text;
}

std::vector<std::string> change_texts(const plan::Advice& advice) {
  std::vector<std::string> lines;
  if (advice.ranked.empty()) return lines;
  add_margin(advice, lines);
  add_deadline(advice, lines);
  return lines;
}

std::vector<std::string> caution_texts(const plan::Advice& advice) {
  std::vector<std::string> lines;
  if (advice.ranked.empty()) return lines;
  const plan::Offer& first = advice.ranked.front().offer;
  const plan::Wishes& wishes = advice.wishes;
  if (wishes.deadline && !wishes.safe && first.time_high > *wishes.deadline) {
    lines.push_back("its 90 % interval reaches " + human(first.time_high) +
                    ", beyond the deadline; `safe` leaves such offers out");
  }
  if (wishes.budget && !wishes.safe && first.cost_of(first.time_high) > *wishes.budget) {
    lines.push_back("its 90 % interval reaches " + human(first.cost_of(first.time_high)) +
                    ", beyond the budget; `safe` leaves such offers out");
  }
  if (!first.supported) {
    lines.push_back("the software is not known to run on " + first.pool.type);
  }
  if (first.global_batch > plan::kProvenBatch) {
    lines.push_back("a batch of " + std::to_string(first.global_batch) +
                    " may need more epochs than a small one; `max_global_batch` sets a bound");
  }
  return lines;
}

std::vector<std::string> bound_texts(const ask::AdviseAnswer& answer) {
  std::vector<std::string> lines;
  if (answer.usual_most_machines > 0) {
    lines.push_back("no more than " + std::to_string(answer.usual_most_machines) +
                    " machines were looked at; `count` names other numbers");
  }
  if (answer.usual_most_batch > 0) {
    const std::int64_t above = answer.offers.above_most;
    lines.push_back(std::to_string(above) + (above == 1 ? " configuration with" : " configurations with") +
                    " more than " + std::to_string(answer.usual_most_batch) +
                    " samples in a step left out; `max_global_batch` sets another bound");
  }
  return lines;
}

std::string tightest_text(const plan::Advice& advice) {
  const plan::Tightest& tightest = *advice.tightest;
  if (!tightest.nearest)
    return tightest.refusal ? tightest.refusal->example : "the catalogue has no machine with a GPU";
  const plan::Offer& offer = *tightest.nearest;
  const plan::Wishes& wishes = advice.wishes;
  const bool late = tightest.constraint == "deadline";
  return name_of(offer) + " with " + strategy_text(offer) + " takes " + human(counted_time(offer, wishes)) +
         " and " + human(counted_cost(offer, wishes)) + ", against a " + tightest.constraint + " of " +
         (late ? human(*wishes.deadline) : human(*wishes.budget));
}

}  // namespace sextant::report
