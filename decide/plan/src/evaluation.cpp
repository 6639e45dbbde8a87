#include "evaluation.h"

#include <cmath>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/parallel/cluster.h"

namespace sextant::plan {
namespace {

ClusterEvaluation refusal(parallel::Limit limit, std::string reason) {
  ClusterEvaluation e;
  e.refused = limit;
  e.reason = std::move(reason);
  return e;
}

// Of what a job gets of the GPU.
std::string memory_text(const predict::MemoryNeed& need, const catalog::Gpu& gpu) {
  return human(need.total()) + " of " + human(predict::plannable_memory(gpu));
}

std::string memory_reason(const predict::Prediction& p, const catalog::Gpu& gpu) {
  const std::string layout = p.degrees.empty() ? "it" : p.degrees;
  const std::string who = p.strategy.empty() ? layout : p.strategy;
  return "memory: " + who + " needs " + memory_text(p.memory, gpu);
}

}  // namespace

ClusterEvaluator::ClusterEvaluator(const Training& training, const Market& market)
    : training_(training), market_(market) {
  for (const auto& text : market.strategies) {
    if (text != parallel::kAnyStrategy)
      static_cast<void>(parallel::parse_strategy(text, at_field("strategy")));
  }
}

clusters::Pool ClusterEvaluator::pool_of(const catalog::Machine& machine, std::int64_t count) const {
  clusters::Pool pool = clusters::pool_of(machine, count, training_.catalog);
  if (!names_link(pool, training_.catalog)) pool.link = market_.link;
  return pool;
}

const ClusterEvaluation& ClusterEvaluator::evaluate(const catalog::Machine& machine, std::int64_t count) {
  const double bandwidth = node_link_bandwidth(training_.catalog, machine).value_or(Bandwidth{}).value;
  const Shape shape{machine.gpu, machine.gpu_count, count, machine.gpu_link, machine.node_link, bandwidth};
  const auto it = known_.find(shape);
  return it != known_.end() ? it->second : known_.emplace(shape, compute(machine, count)).first->second;
}

ClusterEvaluation ClusterEvaluator::place(const catalog::Machine& machine, std::int64_t count) const {
  if (!machine.gpu_known || training_.catalog.gpus.find(machine.gpu) == nullptr) {
    return refusal(parallel::Limit::device, "the catalogue does not know its GPU");
  }
  if (machine.gpu_count < 1) return refusal(parallel::Limit::device, "it has a part of a GPU only");
  const clusters::Pool pool = pool_of(machine, count);
  if (count > 1 && !names_link(pool, training_.catalog)) {
    return refusal(parallel::Limit::link, "its network is not stated (`network` names one)");
  }
  ClusterEvaluation e;
  e.job = training_.job;
  e.job.layout = {.placement = jobs::Placement::packed(pool.gpus, pool.per_node),
                  .machine = pool.machine,
                  .link = pool.link};
  if (training_.steps == nullptr) check_batch(e);
  return e;
}

void ClusterEvaluator::check_batch(ClusterEvaluation& e) const {
  const std::int64_t devices = e.job.layout.devices();
  if (training_.global_batch && *training_.global_batch % devices != 0) {
    e = refusal(parallel::Limit::divisibility, std::to_string(devices) + " GPUs do not divide a batch of " +
                                                   std::to_string(*training_.global_batch));
    return;
  }
  if (training_.global_batch) e.job.sizes.batch = *training_.global_batch / devices;
  const std::int64_t samples = e.job.sizes.batch * devices;
  e.global_batch = samples;
  if (training_.most_batch && samples > *training_.most_batch) {
    e = refusal(parallel::Limit::batch, "a batch of " + std::to_string(samples) + " is above " +
                                            std::to_string(*training_.most_batch));
    e.above_most = true;
  } else if (samples > training_.job.duration->samples) {
    e = refusal(parallel::Limit::batch, "a step of " + std::to_string(samples) +
                                            " samples is more than the data set of " +
                                            std::to_string(training_.job.duration->samples));
  }
}

ClusterEvaluation ClusterEvaluator::placed(ClusterEvaluation e, const catalog::Gpu& gpu) const {
  try {
    PlacedStep step = training_.steps->step(e.job.layout, gpu);
    e.prediction = std::move(step.prediction);
    e.global_batch = step.global_batch;
  } catch (const InputError& error) {
    return refusal(parallel::Limit::shape, error.message());
  }
  return e;
}

parallel::ParallelQuery ClusterEvaluator::query_of(const jobs::Job& job, const catalog::Gpu& gpu) {
  return {.devices = {{&profile(gpu, job.sizes.batch).load, predict::plannable_memory(gpu)}},
          .placement = job.layout.placement,
          .fabric = parallel::cluster_links(training_.catalog, gpu, job.layout).fabric,
          .batch = static_cast<double>(job.sizes.batch * job.layout.devices())};
}

ClusterEvaluation ClusterEvaluator::compute(const catalog::Machine& machine, std::int64_t count) {
  ClusterEvaluation e = place(machine, count);
  if (e.refused) return e;
  const catalog::Gpu& gpu = training_.catalog.gpus.get(machine.gpu);
  if (training_.steps != nullptr) {
    e = placed(std::move(e), gpu);
    if (e.refused) return e;
  } else {
    const parallel::Candidate candidate = choose(query_of(e.job, gpu));
    if (!candidate.result) {
      return refusal(candidate.result.why().limit, candidate.result.why().reason);
    }
    const predict::Prediction& alone = profile(gpu, e.job.sizes.batch).prediction;
    e.prediction = e.job.layout.devices() == 1 ? alone : spread_prediction(alone, candidate);
  }
  if (e.prediction.fits) return e;
  e.refused = parallel::Limit::memory;
  e.excess = e.prediction.memory.total() / predict::plannable_memory(gpu);
  e.reason = memory_reason(e.prediction, gpu);
  return e;
}

std::vector<StrategyVerdict> ClusterEvaluator::compare(const catalog::Machine& machine, std::int64_t count) {
  if (training_.steps != nullptr) return {};  // it has no strategies to compare
  const ClusterEvaluation e = place(machine, count);
  if (e.refused || e.job.layout.devices() == 1) return {};
  const catalog::Gpu& gpu = training_.catalog.gpus.get(machine.gpu);
  const parallel::ParallelQuery query = query_of(e.job, gpu);
  std::vector<parallel::Candidate> best;
  for (const parallel::ParallelStrategyInfo& strategy : parallel::parallel_strategies().all())
    best.push_back(best_variant(strategy, query));
  rank(best);
  std::vector<StrategyVerdict> verdicts;
  for (const parallel::Candidate& candidate : best) {
    StrategyVerdict verdict{.strategy = to_string(candidate.choice)};
    if (!candidate.result) {
      verdict.limit = candidate.result.why().limit;
      verdict.reason = candidate.result.why().reason;
    } else {
      verdict.step = candidate.result->step();
      if (candidate.result->fill > 1) {
        verdict.limit = parallel::Limit::memory;
        verdict.reason = memory_text(candidate.result->memory, gpu);
      }
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

parallel::Candidate ClusterEvaluator::choose(const parallel::ParallelQuery& query) const {
  if (market_.strategies.empty()) return choose_strategy(parallel::kAnyStrategy, query);
  std::vector<parallel::Candidate> best;
  for (const auto& text : market_.strategies) best.push_back(choose_strategy(text, query));
  return best_of(best);
}

const parallel::ProfiledStep& ClusterEvaluator::profile(const catalog::Gpu& gpu, std::int64_t batch) {
  auto& known = profiles_[{gpu.id, batch}];
  if (known) return *known;
  jobs::Job job = training_.job;
  job.sizes.batch = batch;
  const auto counted = graphs_.of(training_.network, job.sizes, job.precision);
  const parallel::ProfileSource source{training_.network, training_.predictor, &graphs_};
  known = std::make_unique<parallel::ProfiledStep>(
      profile_step(source, {job, counted->graph, counted->cost, gpu}));
  return *known;
}

}  // namespace sextant::plan
