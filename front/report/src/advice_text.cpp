#include "advice_text.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/advice_report.h"

namespace sextant::report {
namespace {

constexpr std::int64_t kPlainBatch = 1024;  // samples; larger ones are trained with recipes of their own

std::string percent(double share) {
  const double value = 100 * share;
  const double rounded = value < 10 ? std::round(10 * value) / 10 : std::round(value);
  return number_text(rounded) + " %";
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

// "data parallel on 8 GPUs"
std::string strategy_text(const plan::Offer& offer) {
  const std::string gpus = " on " + std::to_string(offer.pool.gpus) + " GPUs";
  if (offer.step.strategy.empty()) return offer.step.degrees.empty() ? "one GPU" : offer.step.degrees + gpus;
  if (offer.step.strategy == "data") return "data parallel" + gpus;
  return offer.step.strategy + gpus + ", " + offer.step.degrees;
}

// "2 x aws/p3.16xlarge (data parallel on 16 GPUs)"
std::string offer_text(const plan::Offer& offer) {
  return name_of(offer) + " (" + strategy_text(offer) + ")";
}

// The nearest offer that would win if the deadline were shorter than the winner's time.
const plan::RankedOffer* faster_than(const plan::Advice& advice, Seconds time) {
  for (const auto& r : advice.ranked) {
    if (r.offer.time < time) return &r;
  }
  return nullptr;
}

void add_margin(const plan::Advice& advice, std::vector<std::string>& lines) {
  const auto next = plan::successor(advice);
  if (!next) return;
  const plan::Offer& first = advice.ranked.front().offer;
  const Seconds start = first.renting.startup;
  const bool inside = first.time_high > start + (1 + next->slower) * (first.time - start);
  lines.push_back("if steps of " + name_of(first) + " are " + percent(next->slower) +
                  " slower than predicted (" + (inside ? "possible: inside" : "unlikely: outside") +
                  " the 90 % interval), " + name_of(*next->offer) + " becomes the first");
  if (advice.wishes.by != plan::RankBy::cost || first.price <= DollarRate{}) return;
  const double dearer = next->offer->cost / first.cost;
  lines.push_back("it would also change if " + first.pool.machine + " cost more than " +
                  human(dearer / static_cast<double>(first.pool.nodes()) * first.price));
}

void add_deadline(const plan::Advice& advice, std::vector<std::string>& lines) {
  if (advice.wishes.by != plan::RankBy::cost) return;
  const plan::Offer& first = advice.ranked.front().offer;
  const plan::RankedOffer* faster = faster_than(advice, first.time);
  if (faster == nullptr) return;
  lines.push_back("a deadline shorter than " + human(first.time) + " makes it " + offer_text(faster->offer) +
                  ": " + human(faster->offer.time) + ", " + human(faster->offer.cost));
}

const plan::Offer& fastest_of(const plan::Advice& advice) {
  const auto time = [](const plan::RankedOffer& r) { return r.offer.time; };
  return std::ranges::min_element(advice.ranked, {}, time)->offer;
}

// ", 3.1 % below the runner-up, ...": by what decides between the two.
std::string runner_up_text(const plan::Advice& advice) {
  if (!advice.runner_up) return "";
  const plan::Offer& first = advice.ranked.front().offer;
  const plan::Offer& second = advice.ranked[*advice.runner_up].offer;
  const bool cost = advice.wishes.by == plan::RankBy::cost || first.time >= second.time;
  const double share = 1 - (cost ? first.cost / second.cost : first.time / second.time);
  return ", " + percent(share) + (cost ? " cheaper than" : " faster than") + " the runner-up, " +
         name_of(second) + " (" + strategy_text(second) + ": " + human(second.time) + ", " +
         human(second.cost) + ")";
}

}  // namespace

std::string reason_text(const plan::Advice& advice) {
  const plan::Wishes& wishes = advice.wishes;
  if (advice.ranked.empty()) return "";
  const plan::Offer& first = advice.ranked.front().offer;
  const std::size_t offers = advice.ranked.size();
  std::string text = offer_text(first) + " is ";
  if (offers == 1) {
    text += "the only offer" + limits_text(wishes) + ": " + value_text(first, wishes.by);
  } else if (const plan::Offer& fastest = fastest_of(advice);
             wishes.by == plan::RankBy::cost || &fastest == &first) {
    text += std::string("the ") + (wishes.by == plan::RankBy::cost ? "cheapest" : "fastest") + " of " +
            std::to_string(offers) + " offers" + limits_text(wishes) + ": " + value_text(first, wishes.by);
  } else {
    text += "the cheapest of those nearly as fast as the fastest of " + std::to_string(offers) + " offers" +
            limits_text(wishes) + ": " + human(first.time) + ", " + human(first.cost);
    return text + runner_up_text(advice) + "; the fastest, " + name_of(fastest) + ", takes " +
           human(fastest.time) + " for " + human(fastest.cost);
  }
  return text + runner_up_text(advice);
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
  if (first.global_batch > kPlainBatch) {
    lines.push_back("a batch of " + std::to_string(first.global_batch) +
                    " needs a learning rate of its own, and may need more epochs or lose accuracy; "
                    "`max_global_batch` sets a bound");
  }
  return lines;
}

std::vector<std::string> bound_texts(const ask::AdviseAnswer& answer) {
  std::vector<std::string> lines;
  if (answer.usual_most_machines > 0) {
    lines.push_back("only up to " + std::to_string(answer.usual_most_machines) +
                    " machines were tried; `count` names other numbers");
  }
  if (answer.usual_most_batch > 0) {
    const std::int64_t above = answer.offers.above_most;
    lines.push_back(std::to_string(above) + (above == 1 ? " configuration with" : " configurations with") +
                    " more than " + std::to_string(answer.usual_most_batch) + " samples in a step " +
                    (above == 1 ? "is" : "are") + " left out; `max_global_batch` sets another bound");
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
  return offer_text(offer) + " takes " + human(counted_time(offer, wishes)) + " and " +
         human(counted_cost(offer, wishes)) + ", against a " + tightest.constraint + " of " +
         (late ? human(*wishes.deadline) : human(*wishes.budget));
}

}  // namespace sextant::report
