#include "predict.h"

#include <algorithm>
#include <cmath>

#include "law.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::scaling {
namespace {

// A cell that was never timed: one-GPU steps of cluster and network say as much as this, in logarithms.
constexpr double kUntimedVariance = 0.5 * 0.5;
// The centre gives way to doubt about synchronisation no further than this.
constexpr double kMostDoubt = 0.5;

template <typename Value>
const Value& known(const std::map<std::string, Value>& all, const std::string& name, const char* what) {
  const auto found = all.find(name);
  if (found != all.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [each, value] : all) names.push_back(each);
  throw InputError({}, std::string("the model knows no ") + what + " '" + name + "'", name_hint(name, names));
}

// Departure from the line at a batch between two knots; beyond them it stays.
double departure_at(const std::vector<ScalingKnot>& knots, double log_batch) {
  if (knots.empty()) return 0;
  const auto above = std::ranges::lower_bound(knots, log_batch, {}, &ScalingKnot::log_batch);
  if (above == knots.end()) return knots.back().departure;
  if (above == knots.begin() || above->log_batch == log_batch) return above->departure;
  const ScalingKnot& below = *(above - 1);
  const double share = (log_batch - below.log_batch) / (above->log_batch - below.log_batch);
  return below.departure + share * (above->departure - below.departure);
}

struct Known {
  const ScalingCluster& cluster;
  const ScalingNet& net;
  const ScalingCell* cell;  // null: this network was not timed there
};

bool cell_parallel(const Known& at) {
  return at.cell != nullptr && at.cell->most_gpus > 1;
}

// Variances, from departures that no row has told of: of the logarithm of synchronisation, and of that of the
// step by everything else. What a step costs on one GPU is left to the steps that were timed there.
struct Doubt {
  double sync = 0;
  double rest = 0;
};

double untold(const Known& at, const LawTerm& term) {
  const Prior& prior = kPriors[term.coefficient];
  const double net = at.net.parallel ? 0 : prior.network;
  const double cell = cell_parallel(at) ? 0 : prior.cell;
  const double cluster = at.cluster.most_gpus > 1 ? 0 : prior.cluster;
  return term.value * term.value * (net * net + cell * cell + cluster * cluster);
}

Doubt doubt_of(const Known& at, const std::vector<LawTerm>& terms, LawInputs slope) {
  namespace c = scaling_coefficient;
  const double inside = slope.sync > 0 ? slope.inside / slope.sync : 1;
  Doubt doubt;
  for (const auto& term : terms) {
    if (term.coefficient == c::fixed || term.coefficient == c::sample) continue;
    const Part part = kPriors[term.coefficient].part;
    const bool sends = part == Part::sync || part == Part::inside || part == Part::outside;
    const double share = part == Part::inside ? inside : part == Part::outside ? 1 - inside : 1;
    const double by = sends ? share : part_of(slope, part);
    (sends ? doubt.sync : doubt.rest) += by * by * untold(at, term);
  }
  return doubt;
}

Familiarity familiarity(const Known& at, const jobs::Placement& placement) {
  if (placement.total() == 1 && at.cell != nullptr) return Familiarity::inside;
  if (!at.net.parallel || !cell_parallel(at)) return Familiarity::new_network;
  const bool larger = placement.total() > at.cell->most_gpus || placement.nodes() > at.cluster.most_nodes;
  return larger ? Familiarity::more_gpus : Familiarity::inside;
}

bool outside_batches(const Known& at, double log_batch) {
  if (at.cell == nullptr || at.cell->knots.empty()) return true;
  return log_batch < at.cell->knots.front().log_batch || log_batch > at.cell->knots.back().log_batch;
}

Known look_up(const ScalingModel& model, const ScalingQuestion& question) {
  const ScalingNet& net = known(model.nets, question.net, "network");
  const ScalingCluster& cluster = known(model.clusters, question.cluster, "cluster");
  const auto cell = model.cells.find({question.net, question.cluster});
  return {cluster, net, cell == model.cells.end() ? nullptr : &cell->second};
}

// A question in the terms of the law.
struct Asked {
  Known at;
  std::vector<LawTerm> terms;
  LawInputs inputs;
  double log_batch = 0;
  Links links;
};

Asked ask(const ScalingModel& model, const ScalingQuestion& question) {
  const Known at = look_up(model, question);
  const Traits traits{at.net.sync, at.net.fixed, at.cell == nullptr ? 0 : at.cell->fixed_here};
  Asked asked{
      at, terms_of(question.placement, traits), {}, std::log(question.batch), links_of(question.placement)};
  for (const auto& [c, value] : asked.terms) {
    const double effect = model.shared[c] + at.cluster.effects[c] + at.net.effects[c] +
                          (at.cell == nullptr ? 0 : at.cell->effects[c]);
    part_of(asked.inputs, kPriors[c].part) += value * effect;
  }
  if (at.cell != nullptr) asked.inputs.compute += departure_at(at.cell->knots, asked.log_batch);
  return asked;
}

struct Guess {
  LogStep step;
  double likely = 0;  // log seconds, where half of the doubt lies on either side
  Doubt doubt = {};
};

Guess guess(const ScalingModel& model, const ScalingQuestion& question, const Asked& asked) {
  const Known& at = asked.at;
  const LawPoint point = law(asked.inputs, asked.log_batch, asked.links);
  Doubt doubt = doubt_of(at, asked.terms, point.slope);
  const double lean = point.slope.sync * point.slope.sync;
  const double own = at.cell == nullptr ? model.spread : at.cell->spread;
  doubt.rest += own * own + (at.cell == nullptr ? kUntimedVariance : 0);
  const Familiarity familiar = familiarity(at, question.placement);
  const double growth = familiar == Familiarity::more_gpus ? at.net.growth : 0;
  return {.step = {.centre = point.log_time - lean * std::min(doubt.sync, kMostDoubt),
                   .spread = std::sqrt(doubt.rest + lean * doubt.sync + growth * growth),
                   .log_compute = point.log_compute,
                   .familiarity = familiar},
          .likely = point.log_time,
          .doubt = doubt};
}

// An end of the interval, `width` deviations away. Where synchronisation is guessed, the law bends: however
// little is sent, a step takes as long as its compute.
double end_of(const Asked& asked, const Guess& guessed, double width) {
  if (guessed.step.familiarity != Familiarity::new_network)
    return guessed.step.centre + guessed.step.spread * width;
  LawInputs moved = asked.inputs;
  moved.sync += width * std::sqrt(guessed.doubt.sync);
  const double bent = law(moved, asked.log_batch, asked.links).log_time - guessed.likely;
  return guessed.likely + std::copysign(std::hypot(bent, width * std::sqrt(guessed.doubt.rest)), width);
}

}  // namespace

LogStep log_step(const ScalingModel& model, const ScalingQuestion& question) {
  return guess(model, question, ask(model, question)).step;
}

ScaledStep predict_step(const ScalingModel& model, const ScalingQuestion& question) {
  if (question.placement.total() < 1) throw InputError("a step needs at least one GPU");
  if (!(question.batch > 0) || !std::isfinite(question.batch)) {
    throw InputError("the batch of a step must be above 0");
  }
  const Asked asked = ask(model, question);
  const Guess guessed = guess(model, question, asked);
  const LogStep& step = guessed.step;
  const ScalingWidth& width = step.familiarity == Familiarity::inside      ? model.inside
                              : step.familiarity == Familiarity::more_gpus ? model.more_gpus
                                                                           : model.new_network;
  ScaledStep out;
  out.predicted = Seconds{std::exp(step.centre)};
  out.low = std::min(Seconds{std::exp(end_of(asked, guessed, std::min(width.low, 0.0)))}, out.predicted);
  out.high = std::max(Seconds{std::exp(end_of(asked, guessed, std::max(width.high, 0.0)))}, out.predicted);
  out.compute = std::min(Seconds{std::exp(step.log_compute)}, out.predicted);
  out.communication = out.predicted - out.compute;
  if (!std::isfinite(out.high.value) || !(out.low.value > 0)) {
    throw InputError("the model gives no finite time");
  }
  out.extrapolating = step.familiarity != Familiarity::inside || outside_batches(asked.at, asked.log_batch);
  return out;
}

}  // namespace sextant::scaling
