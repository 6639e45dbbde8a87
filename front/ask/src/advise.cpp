#include "sextant/ask/advise.h"

#include <algorithm>

#include "deadline.h"
#include "evidence_notes.h"
#include "prediction_notes.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/parallel/cluster_predictor.h"

namespace sextant::ask {
namespace {

// What plan::Training refers to.
struct AdvisedJob {
  nets::Network network;
  jobs::Job job;
  Remarks remarks = {};  // on the timings that were read
  std::unique_ptr<predict::Predictor> predictor;

  AdvisedJob(const PlanFields& fields, const catalog::Catalog& catalog)
      : network(nets::find_network(fields.job.net.name, at_field("net"))),
        job(job_of(fields.job, fields.batch)),
        predictor(make_predictor(fields.model, job, catalog, &remarks)) {
    job.net = network.id;
  }

  [[nodiscard]] plan::Training training(const PlanFields& fields, const catalog::Catalog& catalog) const {
    return {.catalog = catalog,
            .network = network,
            .predictor = *predictor,
            .job = job,
            .global_batch = fields.global_batch,
            .most_batch = most_batch(fields)};
  }

  // Who names the batch of all GPUs has thought of it.
  static std::optional<std::int64_t> most_batch(const PlanFields& fields) {
    if (fields.max_global_batch || fields.global_batch) return fields.max_global_batch;
    return plan::kProvenBatch;
  }
};

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

plan::Market market_of(const AdviseQuestion& question, const catalog::Catalog& catalog) {
  plan::Market market = market_of(question.plan, catalog);
  if (!question.counts.empty()) market.counts = question.counts;
  if (question.machines == std::vector<std::string>{"all"}) return market;
  for (const auto& name : question.machines)
    market.machines.push_back(catalog.machines.get(name, at_field("machine")).id);
  return market;
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
  if (!question.samples) throw InputError(at_field("samples"), "the size of the data set is missing");
  const AdvisedJob planned(question.plan, catalog);
  plan::Training training = planned.training(question.plan, catalog);
  training.job.duration = duration_of(question.samples, question.epochs);
  const plan::Market market = market_of(question, catalog);
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
  if (question.samples.empty()) throw InputError(at_field("samples"), "the size of the data set is missing");
  ScaleAnswers answer{.request = {.machine = catalog.machines.get(question.machine, at_field("machine")).id,
                                  .samples = question.samples,
                                  .deadline = deadline_of(question.plan),
                                  .most = question.most,
                                  .least_efficiency = question.efficiency},
                      .scale = {}};
  const AdvisedJob planned(question.plan, catalog);
  plan::Training training = planned.training(question.plan, catalog);
  training.job.duration = jobs::Duration{question.epochs, question.samples.front()};
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
