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

// Of the logarithm of synchronisation, from departures that no row has told of.
double sync_variance(const Known& at, const std::vector<LawTerm>& terms) {
  double variance = 0;
  for (const auto& term : terms) {
    const Prior& prior = kPriors[term.coefficient];
    if (prior.part != Part::sync) continue;
    const double net = at.net.parallel ? 0 : prior.network;
    const double cell = cell_parallel(at) ? 0 : prior.cell;
    const double cluster = at.cluster.most_gpus > 1 ? 0 : prior.cluster;
    variance += term.value * term.value * (net * net + cell * cell + cluster * cluster);
  }
  return variance;
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

}  // namespace

LogStep log_step(const ScalingModel& model, const ScalingQuestion& question) {
  const Known at = look_up(model, question);
  const double log_batch = std::log(question.batch);
  const Traits traits{at.net.sync, at.net.fixed, at.cell == nullptr ? 0 : at.cell->fixed_here};
  const auto terms = terms_of(question.placement, traits);
  LawInputs inputs;
  for (const auto& [c, value] : terms) {
    const double effect = model.shared[c] + at.cluster.effects[c] + at.net.effects[c] +
                          (at.cell == nullptr ? 0 : at.cell->effects[c]);
    part_of(inputs, kPriors[c].part) += value * effect;
  }
  if (at.cell != nullptr) inputs.compute += departure_at(at.cell->knots, log_batch);
  const bool parallel = question.placement.total() > 1;
  const LawPoint point = law(inputs, log_batch, parallel);
  const double doubt = sync_variance(at, terms);
  const double lean = point.slope.sync * point.slope.sync;
  const double own = at.cell == nullptr ? model.spread : at.cell->spread;
  const double untimed = at.cell == nullptr ? kUntimedVariance : 0;
  const Familiarity familiar = familiarity(at, question.placement);
  const double growth = familiar == Familiarity::more_gpus ? at.net.growth : 0;
  return {.centre = point.log_time - lean * std::min(doubt, kMostDoubt),
          .spread = std::sqrt(own * own + lean * doubt + untimed + growth * growth),
          .log_compute = point.log_compute,
          .familiarity = familiar};
}

ScaledStep predict_step(const ScalingModel& model, const ScalingQuestion& question) {
  if (question.placement.total() < 1) throw InputError("a step needs at least one GPU");
  if (!(question.batch > 0) || !std::isfinite(question.batch)) {
    throw InputError("the batch of a step must be above 0");
  }
  const LogStep step = log_step(model, question);
  const ScalingWidth& width = step.familiarity == Familiarity::inside      ? model.inside
                              : step.familiarity == Familiarity::more_gpus ? model.more_gpus
                                                                           : model.new_network;
  ScaledStep out;
  out.predicted = Seconds{std::exp(step.centre)};
  out.low = Seconds{std::exp(step.centre + step.spread * std::min(width.low, 0.0))};
  out.high = Seconds{std::exp(step.centre + step.spread * std::max(width.high, 0.0))};
  out.compute = std::min(Seconds{std::exp(step.log_compute)}, out.predicted);
  out.communication = out.predicted - out.compute;
  if (!std::isfinite(out.high.value) || !(out.low.value > 0)) {
    throw InputError("the model gives no finite time");
  }
  out.extrapolating = step.familiarity != Familiarity::inside ||
                      outside_batches(look_up(model, question), std::log(question.batch));
  return out;
}

}  // namespace sextant::scaling
