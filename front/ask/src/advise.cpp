#include "sextant/ask/advise.h"

#include <algorithm>
#include <array>

#include "advised_job.h"
#include "deadline.h"
#include "evidence_notes.h"
#include "prediction_notes.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/parallel/cluster_predictor.h"

namespace sextant::ask {
namespace {

plan::Market market_of(const PlanFields& fields, const catalog::Catalog& catalog) {
  plan::Market market{.region = fields.region.value_or(""), .spot = fields.spot};
  if (fields.startup) market.startup = parse_seconds(*fields.startup, at_field("startup"));
  if (fields.minimum_billing) {
    market.minimum_billing = parse_seconds(*fields.minimum_billing, at_field("minimum_billing"));
  }
  if (fields.link) market.link = catalog.links.get(*fields.link, at_field("network")).id;
  if (std::ranges::find(fields.strategies, parallel::kAnyStrategy) == fields.strategies.end()) {
    market.strategies = fields.strategies;
  }
  return market;
}

std::optional<Seconds> deadline_of(const PlanFields& fields) {
  if (!fields.deadline) return std::nullopt;
  return parse_deadline(*fields.deadline, at_field("deadline"));
}

Dollars parse_budget(const std::string& text) {
  if (const auto plain = to_number(text)) {
    if (*plain > 0) return Dollars{*plain};
    throw InputError(at_field("budget"), "'" + text + "' is not an amount above 0",
                     "as in 250, or '250 USD'");
  }
  return parse_dollars(text, at_field("budget"));
}

plan::Wishes wishes_of(const AdviseQuestion& question) {
  plan::Wishes wishes{.deadline = deadline_of(question.plan), .safe = question.safe};
  if (question.budget) wishes.budget = parse_budget(*question.budget);
  // Who sets a budget and no deadline wants the most for the money.
  const bool time = question.by ? *question.by == "time" : wishes.budget && !wishes.deadline;
  wishes.by = time ? plan::RankBy::time : plan::RankBy::cost;
  return wishes;
}

// A large network takes hundreds of machines.
constexpr std::array<std::int64_t, 11> kDecoderCounts = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

plan::Market market_of(const AdviseQuestion& question, const AdvisedJob& planned,
                       const catalog::Catalog& catalog) {
  plan::Market market = market_of(question.plan, catalog);
  if (planned.decoder) market.counts.assign(kDecoderCounts.begin(), kDecoderCounts.end());
  if (!question.counts.empty()) market.counts = question.counts;
  if (question.machines == std::vector<std::string>{"all"}) return market;
  for (const auto& name : question.machines)
    market.machines.push_back(catalog.machines.get(name, at_field("machine")).id);
  return market;
}

// Passes over samples, or tokens, which make sequences.
jobs::Duration whole_of(const AdviseQuestion& question, const AdvisedJob& planned) {
  const std::optional<double>& tokens = question.plan.decoder.tokens;
  if (!tokens) {
    if (!question.samples) {
      throw InputError(at_field("samples"), "the size of the data set is missing",
                       planned.decoder ? "in sequences, or `tokens` of the whole training" : "");
    }
    return *duration_of(question.samples, question.epochs);
  }
  if (question.samples || question.epochs) {
    throw InputError(at_field("tokens"), "`tokens` are those of the whole training",
                     "leave out `samples` and `epochs`");
  }
  return {.epochs = 1, .samples = sequences_of(*tokens, planned.sequence)};
}

// Sizes of the data set, in samples.
std::vector<std::int64_t> sizes_of(const ScaleQuestion& question, const AdvisedJob& planned) {
  if (question.tokens.empty()) {
    if (!question.samples.empty()) return question.samples;
    throw InputError(at_field("samples"), "the size of the data set is missing",
                     planned.decoder ? "in sequences, or as `tokens`" : "");
  }
  if (!planned.decoder)
    throw InputError(at_field("tokens"), "'" + planned.network.id + "' is no large language model",
                     "give `samples`");
  if (!question.samples.empty())
    throw InputError(at_field("tokens"), "`samples` says the same otherwise", "leave out one of the two");
  std::vector<std::int64_t> sizes;
  for (const std::int64_t tokens : question.tokens)
    sizes.push_back(sequences_of(static_cast<double>(tokens), planned.sequence));
  return sizes;
}

void require_upper_ends(const plan::Offers& offers) {
  const auto unbounded = [](const plan::Offer& offer) { return !offer.step.interval.high.has_value(); };
  if (std::ranges::none_of(offers.list, unbounded)) return;
  throw InputError(at_field("safe"),
                   "the predictor bounds times from below only: there is no upper end to judge",
                   "leave it out, or ask another predictor");
}

// Bounds that are there by default are said where they keep something out: where the largest number of
// machines is worth its money, or is too few, and where a batch was too large.
void note_usual_bounds(const AdviseQuestion& question, const plan::Market& market, AdviseAnswer& answer) {
  const std::int64_t most = std::ranges::max(market.counts);
  const auto at_bound = [&](const plan::RankedOffer& r) {
    return r.on_front && r.offer.pool.nodes() == most;
  };
  const plan::Advice& advice = answer.advice;
  const bool late = advice.tightest && advice.tightest->constraint == "deadline";
  if (question.counts.empty() && (late || std::ranges::any_of(advice.ranked, at_bound))) {
    answer.usual_most_machines = most;
  }
  const bool asked = question.plan.max_global_batch || question.plan.global_batch;
  if (!asked && answer.offers.above_most > 0) answer.usual_most_batch = plan::kProvenBatch;
}

}  // namespace

AdviseAnswer advise(const AdviseQuestion& question, const catalog::Catalog& catalog, Progress& progress) {
  const plan::Wishes wishes = wishes_of(question);
  const AdvisedJob planned(question.plan, catalog);
  plan::Training training = planned.training(question.plan, catalog);
  training.job.duration = whole_of(question, planned);
  const plan::Market market = market_of(question, planned, catalog);
  AdviseAnswer answer{.offers = find_offers(training, market, progress), .advice = {}};
  if (wishes.safe) require_upper_ends(answer.offers);
  answer.advice = advise(answer.offers, wishes);
  note_usual_bounds(question, market, answer);
  std::vector<DeviceEvidence> evidence;
  for (const plan::RankedOffer& r : answer.advice.ranked) {
    evidence.push_back({r.offer.pool.type, r.offer.step.evidence});
  }
  answer.notes = planned.remarks.notes;
  answer.warnings = planned.remarks.warnings;
  std::ranges::move(evidence_notes(evidence), std::back_inserter(answer.notes));
  if (!answer.advice.ranked.empty()) {
    const plan::Offer& first = answer.advice.ranked.front().offer;
    std::ranges::move(prediction_notes({{first.pool.type, &first.step}}), std::back_inserter(answer.notes));
  }
  if (!answer.advice.tightest) {
    answer.strategies = compare_strategies(training, market, answer.advice.ranked.front().offer);
  }
  return answer;
}

ScaleAnswers scale(const ScaleQuestion& question, const catalog::Catalog& catalog, Progress& progress) {
  const AdvisedJob planned(question.plan, catalog);
  const std::vector<std::int64_t> samples = sizes_of(question, planned);
  ScaleAnswers answer{.request = {.machine = catalog.machines.get(question.machine, at_field("machine")).id,
                                  .samples = samples,
                                  .deadline = deadline_of(question.plan),
                                  .most = question.most,
                                  .least_efficiency = question.efficiency},
                      .scale = {}};
  answer.sequence = question.tokens.empty() ? 0 : planned.sequence;
  plan::Training training = planned.training(question.plan, catalog);
  training.job.duration = jobs::Duration{question.epochs, samples.front()};
  answer.scale = scale(training, market_of(question.plan, catalog), answer.request, progress);
  answer.remarks = planned.remarks;
  return answer;
}

bool ScaleAnswers::feasible() const {
  return std::ranges::all_of(scale.curves, [this](const plan::ScaleCurve& curve) {
    return !curve.points.empty() && (!request.deadline || curve.enough);
  });
}

}  // namespace sextant::ask
