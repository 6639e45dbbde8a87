#include "sextant/parallel/cluster_predictor.h"

#include <algorithm>
#include <cmath>

#include "sextant/collectives/calibration.h"
#include "sextant/parallel/cluster.h"
#include "sextant/parallel/network_workload.h"

namespace sextant::parallel {
namespace {

// Half-width, of log time, of the 90 % interval of a collective on a system that was not timed.
double communication_spread() {
  return collectives::builtin_calibration()
      .collective_widths[static_cast<std::size_t>(collectives::Known::nothing)]
      .above;
}

// Uncertainties of compute and communication do not know of each other.
void set_interval(const predict::Prediction& one, predict::Prediction& p) {
  if (!one.interval.high) {
    p.interval = predict::from_below(p.iteration);
    return;
  }
  const double compute = 0.5 * std::log(*one.interval.high / one.interval.low);
  const double share = p.breakdown.communication / p.iteration;
  const double half = std::hypot((1 - share) * compute, share * communication_spread());
  p.interval = {.low = std::exp(-half) * p.iteration, .high = std::exp(half) * p.iteration};
}

// A bubble is time that devices wait for each other: communication, to those who count.
void set_times(const ParallelCost& cost, predict::Prediction& p) {
  p.iteration = cost.step();
  p.breakdown = {.compute = cost.compute,
                 .communication = cost.exposed + cost.bubble,
                 .input = cost.input,
                 .overhead = {}};
}

[[noreturn]] void refuse(const Infeasible& why) {
  throw InputError(at_field("strategy"), why.reason, "'`strategy` auto' takes the fastest that is possible");
}

// Replicas that know nothing of each other.
predict::Prediction replicas(predict::Prediction one, const predict::Query& q) {
  if (q.job.layout.strategy != "data" && q.job.layout.strategy != kAnyStrategy) {
    throw InputError(at_field("strategy"), "'" + q.job.layout.strategy + "' is a way to train",
                     "inference on several devices is replicas: '`strategy` data'");
  }
  one.strategy = "data";
  one.degrees = "replicas " + std::to_string(q.job.layout.devices());
  return one;
}

}  // namespace

Candidate choose_strategy(const std::string& text, const ParallelQuery& query) {
  if (text == kAnyStrategy) return best_strategy(query);
  const ParallelChoice choice = parse_strategy(text, at_field("strategy"));
  if (text.find(':') == std::string::npos) return best_variant(*choice.strategy, query);
  return {choice, strategy_cost(choice, query)};
}

predict::Prediction spread_prediction(const predict::Prediction& one, const Candidate& candidate) {
  if (!candidate.result) refuse(candidate.result.why());
  const ParallelCost& cost = *candidate.result;
  predict::Prediction p = one;
  set_times(cost, p);
  p.memory = cost.memory;
  set_interval(one, p);
  p.fits = cost.fill <= 1;
  p.strategy = to_string(candidate.choice);
  p.degrees = to_string(cost.degrees);
  return p;
}

const nets::Network& ClusterPredictor::network(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto known = networks_.find(name);
  return known != networks_.end() ? known->second
                                  : networks_.emplace(name, nets::find_network(name)).first->second;
}

predict::Prediction ClusterPredictor::predict(const predict::Query& q) const {
  const jobs::Layout& layout = q.job.layout;
  if (layout.devices() == 1) return one_device_.predict(q);
  if (q.job.mode == jobs::Mode::infer) return replicas(one_device_.predict(q), q);
  const ProfileSource source{network(q.job.net), one_device_, &graphs_};
  std::vector<ProfiledStep> steps = {profile_step(source, q)};
  std::vector<const catalog::Gpu*> gpus = {&q.gpu};
  for (const std::string& name : layout.other_gpus) {
    gpus.push_back(&find_gpu(catalog_, name, at_field("gpu")));
    steps.push_back(profile_step(source, {q.job, q.graph, q.cost, *gpus.back()}));
  }
  const ClusterLinks links = cluster_links(catalog_, q.gpu, layout);
  ParallelQuery query{.devices = {},
                      .placement = layout.placement,
                      .fabric = links.fabric,
                      .batch = static_cast<double>(q.job.sizes.batch * layout.devices())};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    query.devices.push_back({&steps[i].load, predict::plannable_memory(*gpus[i])});
  }
  predict::Prediction p =
      spread_prediction(steps.front().prediction, choose_strategy(layout.strategy, query));
  p.warnings.insert(p.warnings.end(), links.assumptions.begin(), links.assumptions.end());
  return p;
}

}  // namespace sextant::parallel
