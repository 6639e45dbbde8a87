#include "sextant/report/advice_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "advice_text.h"
#include "number_of.h"
#include "sentence.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

using enum Importance;
using plan::RankedOffer;

constexpr const char* kBeyondFit = "*";
constexpr const char* kBoundOnly = ">=";
constexpr std::size_t kUsualRows = 10;

Cell upper_time(const plan::Offer& offer) {
  return std::isfinite(offer.time_high.value) ? Cell(offer.time_high) : Cell();
}

// Without an upper end both are lower bounds.
Cell at_least(const plan::Offer& offer, Cell cell) {
  if (!std::isfinite(offer.time_high.value)) cell.shown = std::string(kBoundOnly) + " " + cell.shown;
  return cell;
}

Cell time_cell(const plan::Offer& offer) {
  Cell cell = at_least(offer, Cell(offer.time));
  if (offer.step.extrapolating) cell.shown += std::string(" ") + kBeyondFit;
  return cell;
}

Cell front_cell(bool on_front) {
  Cell cell(on_front);
  cell.shown = on_front ? "front" : "";
  return cell;
}

Fields<RankedOffer> offer_fields() {
  return {
      {"machine", "machine", [](const RankedOffer& r) { return Cell(r.offer.pool.machine); }, identity},
      {"machines", "machines", [](const RankedOffer& r) { return Cell(r.offer.pool.nodes()); }, identity},
      {"gpu", "gpu", [](const RankedOffer& r) { return Cell(r.offer.pool.type); }},
      {"gpus", "GPUs", [](const RankedOffer& r) { return Cell(r.offer.pool.gpus); }},
      {"strategy", "strategy", [](const RankedOffer& r) { return Cell(r.offer.step.strategy); }, identity},
      {"layout", "layout", [](const RankedOffer& r) { return Cell(r.offer.step.degrees); }},
      {"global_batch", "global batch", [](const RankedOffer& r) { return Cell(r.offer.global_batch); }},
      {"iteration_s", "step",
       [](const RankedOffer& r) { return at_least(r.offer, Cell(r.offer.step.iteration)); }},
      {"memory_bytes", "memory", [](const RankedOffer& r) { return Cell(r.offer.step.memory.total()); }},
      {"total_s", "time", [](const RankedOffer& r) { return time_cell(r.offer); }, essential},
      {"low_s", "90 % low", [](const RankedOffer& r) { return Cell(r.offer.time_low); }},
      {"high_s", "90 % high", [](const RankedOffer& r) { return upper_time(r.offer); }, essential},
      {"total_usd", "cost", [](const RankedOffer& r) { return Cell(r.offer.cost); }, essential},
      {"region", "region", [](const RankedOffer& r) { return Cell(r.offer.region); }},
      {"pareto", "front", [](const RankedOffer& r) { return front_cell(r.on_front); }, essential},
      {"usd_per_hour", "", [](const RankedOffer& r) { return Cell(r.offer.price); }, detail},
      {"compute_s", "", [](const RankedOffer& r) { return Cell(r.offer.step.breakdown.compute); }, detail},
      {"communication_s", "", [](const RankedOffer& r) { return Cell(r.offer.step.breakdown.communication); },
       detail},
      {"startup_s", "", [](const RankedOffer& r) { return Cell(r.offer.renting.startup); }, detail},
      {"supported", "", [](const RankedOffer& r) { return Cell(r.offer.supported); }, detail},
      {"extrapolating", "", [](const RankedOffer& r) { return Cell(r.offer.step.extrapolating); }, detail},
  };
}

Fields<RankedOffer> shown_offer_fields(const std::vector<RankedOffer>& shown) {
  const Fields<RankedOffer> fields =
      explained(offer_fields(), {{"pareto", "no other offer is both faster and cheaper"},
                                 {"global_batch", "samples of a step, of all GPUs together"}});
  const auto starts = [](const RankedOffer& r) { return r.offer.renting.startup > Seconds{}; };
  if (std::ranges::none_of(shown, starts)) return fields;
  return explained(fields, {{"total_s", "from the order of the machines on, start included"},
                            {"total_usd", "as the provider bills it"}});
}

Fields<plan::Refusal> refusal_fields() {
  return {
      {"limit", "limit", [](const plan::Refusal& r) { return Cell(to_string(r.limit)); }},
      {"configurations", "configurations", [](const plan::Refusal& r) { return Cell(r.configurations); }},
      {"example", "example", [](const plan::Refusal& r) { return Cell(r.example); }},
  };
}

Fields<plan::StrategyVerdict> verdict_fields() {
  using plan::StrategyVerdict;
  return {
      {"strategy", "strategy", [](const StrategyVerdict& v) { return Cell(v.strategy); }},
      {"iteration_s", "step", [](const StrategyVerdict& v) { return Cell(v.step); }},
      {"limit", "limit",
       [](const StrategyVerdict& v) { return v.limit ? Cell(to_string(*v.limit)) : Cell(); }},
      {"reason", "reason", [](const StrategyVerdict& v) { return Cell(v.reason); }},
  };
}

Fields<ask::AdviseAnswer> advice_fields() {
  using ask::AdviseAnswer;
  return {
      {"configurations", "", [](const AdviseAnswer& a) { return Cell(a.offers.configurations); }},
      {"reason", "", [](const AdviseAnswer& a) { return Cell(reason_text(a.advice)); }},
      {"runner_up", "",
       [](const AdviseAnswer& a) {
         return a.advice.runner_up ? Cell(static_cast<std::int64_t>(*a.advice.runner_up)) : Cell();
       }},
      {"would_change", "", [](const AdviseAnswer& a) { return Cell::nested(change_texts(a.advice)); }},
      {"cautions", "", [](const AdviseAnswer& a) { return Cell::nested(caution_texts(a.advice)); }},
      {"bounds", "", [](const AdviseAnswer& a) { return Cell::nested(bound_texts(a)); }},
      {"notes", "", [](const AdviseAnswer& a) { return Cell::nested(a.notes); }},
      {"tightest.constraint", "",
       [](const AdviseAnswer& a) {
         return a.advice.tightest ? Cell(a.advice.tightest->constraint) : Cell();
       }},
      {"tightest.factor", "",
       [](const AdviseAnswer& a) { return a.advice.tightest ? Cell(a.advice.tightest->factor) : Cell(); }},
      {"tightest.sentence", "",
       [](const AdviseAnswer& a) { return a.advice.tightest ? Cell(tightest_text(a.advice)) : Cell(); }},
  };
}

// What each strategy makes of the first offer: "data 198 ms, zero-1 199 ms; not tensor (shape: ...)".
std::string strategies_text(const std::vector<plan::StrategyVerdict>& verdicts) {
  std::vector<std::string> possible;
  std::vector<std::string> impossible;
  for (const auto& v : verdicts) {
    if (!v.limit) {
      possible.push_back(v.strategy + " " + human(*v.step));
    } else {
      impossible.push_back(v.strategy + " (" + to_string(*v.limit) + ": " + v.reason + ")");
    }
  }
  return join(possible, ", ") + (impossible.empty() ? "" : "; not " + join(impossible, ", "));
}

// Steps on the front that are smaller than the error of any prediction say nothing.
bool is_near(const plan::Offer& offer, const std::vector<RankedOffer>& shown) {
  constexpr double kNear = 0.05;
  return std::ranges::any_of(shown, [&](const RankedOffer& other) {
    return other.on_front && std::abs(other.offer.time / offer.time - 1) < kNear;
  });
}

// Without a number, the best and the front, of which offers that are as fast as one above are passed over.
// The runner-up, which the text names, takes the place of the last of the best if it is not among them: what
// is between is the same machine again, or an equal one.
std::vector<RankedOffer> best_of(const plan::Advice& advice, const std::optional<std::size_t>& rows) {
  const std::size_t all = advice.ranked.size();
  const std::size_t most = std::min(all, !rows ? kUsualRows : *rows == 0 ? all : *rows);
  const std::size_t second = advice.runner_up.value_or(0);
  const bool displaced = second >= most && most > 1;
  std::vector<RankedOffer> best;
  for (std::size_t i = 0; i < all; ++i) {
    const bool among = i < most - (displaced ? 1 : 0) || (displaced && i == second);
    const RankedOffer& each = advice.ranked[i];
    if (among || (!rows && each.on_front && !is_near(each.offer, best))) best.push_back(each);
  }
  return best;
}

// Machine types that differ in name only: the first stands for all.
std::vector<RankedOffer> without_twins(const std::vector<RankedOffer>& offers,
                                       std::vector<std::string>& twins) {
  std::vector<RankedOffer> kept;
  for (const RankedOffer& each : offers) {
    const plan::Offer& offer = each.offer;
    const auto same = std::ranges::find_if(kept, [&](const RankedOffer& other) {
      const plan::Offer& o = other.offer;
      return o.pool.type == offer.pool.type && o.pool.gpus == offer.pool.gpus &&
             o.pool.nodes() == offer.pool.nodes() && o.step.strategy == offer.step.strategy &&
             o.time == offer.time && o.cost == offer.cost;
    });
    if (same == kept.end()) {
      kept.push_back(each);
    } else {
      twins.push_back(name_of(offer) + " (as " + name_of(same->offer) + ")");
    }
  }
  return kept;
}

std::vector<std::string> advice_notes(const ask::AdviseAnswer& answer, const AdviceView& shown) {
  const plan::Advice& advice = answer.advice;
  std::vector<std::string> notes;
  const std::string reason = reason_text(advice);
  if (!reason.empty()) notes.push_back("First: " + reason + ".");
  for (const auto& line : caution_texts(advice)) notes.push_back("Caution: " + line + ".");
  for (const auto& line : answer.notes) notes.push_back("Caution: " + line + ".");
  for (const auto& line : bound_texts(answer)) notes.push_back(sentence(line));
  for (const auto& line : change_texts(advice)) notes.push_back(sentence(line));
  if (shown.explain && !answer.strategies.empty())
    notes.push_back("Strategies on the first: " + strategies_text(answer.strategies) + ".");
  return notes;
}

std::string offers_word(const plan::Refusal& refusal) {
  return refusal.configurations == 1 ? " offer" : " offers";
}

std::string refusal_reason(const plan::Refusal& refusal) {
  using enum parallel::Limit;
  switch (refusal.limit) {
    case link:
      return "network between machines unknown (add `network`)";
    case price:
      return "no price known";
    case device:
      return "GPU not usable (such as " + refusal.example + ")";
    case memory:
      return "too little memory (nearest: " + refusal.example + ")";
    default:
      return to_string(refusal.limit) + " (such as " + refusal.example + ")";
  }
}

}  // namespace

Result advice_result(const ask::AdviseAnswer& answer, const AdviceView& view) {
  const plan::Advice& advice = answer.advice;
  std::vector<std::string> twins;
  const std::vector<RankedOffer> best = without_twins(best_of(advice, view.rows), twins);
  Table shown = table_of(shown_offer_fields(best), best);
  shown.notes = advice_notes(answer, view);
  if (!twins.empty())
    shown.notes.push_back("As fast for the same money as another, and so not shown: " + join(twins, ", ") +
                          ".");
  shown.marks = {{kBoundOnly,
                  "a lower bound, and the cost with it: operators are unknown, or the predictor has no upper "
                  "end."},
                 {kBeyondFit, "outside what the model was fitted on; the interval is wider."}};
  return {
      .schema = "sextant.advice/2",
      .sections =
          {{.table = std::move(shown), .shown = !advice.tightest},
           {.key = "offers", .table = table_of(offer_fields(), advice.ranked), .shown = false},
           {.key = "refusals", .table = table_of(refusal_fields(), answer.offers.refusals), .shown = false},
           {.key = "strategies", .table = table_of(verdict_fields(), answer.strategies), .shown = false}},
      .facts = facts_of(advice_fields(), answer)};
}

FrontPlot front_plot(const plan::Advice& advice, const std::string& job) {
  const auto offers = static_cast<std::int64_t>(advice.ranked.size());
  FrontPlot plot{.title = job + ": time and cost of " + number_of(offers, "offer"), .points = {}};
  if (advice.wishes.deadline) plot.deadline_s = advice.wishes.deadline->value;
  if (advice.wishes.budget) plot.budget_usd = advice.wishes.budget->value;
  for (const auto& r : advice.ranked) {
    const std::string label = name_of(r.offer) + ": " + human(r.offer.time) + ", " + human(r.offer.cost);
    plot.points.push_back({r.offer.time.value, r.offer.cost.value, r.on_front, label, r.offer.time_low.value,
                           r.offer.time_high.value});
  }
  return plot;
}

std::string nothing_fits_text(const plan::Advice& advice) {
  return advice.tightest->constraint + " is the tightest constraint; nearest: " + tightest_text(advice);
}

std::string refusals_text(const std::vector<plan::Refusal>& refusals) {
  std::vector<std::string> parts;
  for (const auto& refusal : refusals) {
    parts.push_back(std::to_string(refusal.configurations) + (parts.empty() ? offers_word(refusal) : "") +
                    ", " + refusal_reason(refusal));
  }
  return join(parts, "; ");
}

}  // namespace sextant::report
