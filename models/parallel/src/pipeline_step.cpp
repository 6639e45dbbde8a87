#include "pipeline_step.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gradient_stream.h"
#include "groups.h"
#include "parts.h"
#include "pipeline_cuts.h"

namespace sextant::parallel {
namespace {

// What one device does of a micro-batch, and what it holds.
struct Stage {
  Seconds forward = {};
  Seconds backward = {};
  Seconds entry = {};  // an activation in, and its gradient back
  Seconds update = {};
  double weights = 0;
  Bytes kept = {};  // of one sample
};

struct Plan {
  const ParallelQuery& query;
  const PipelineRequest& request;
  const Workload& load;
  PipelineShape shape;
  double samples = 1;  // of a micro-batch
  collectives::Group replicas = {};
};

// From the device of stage - 1 to that of stage; stage 0 receives from the last one, for its next piece.
collectives::Group link_into(const Plan& plan, std::int64_t stage) {
  const jobs::Placement& placement = plan.query.placement;
  if (placement.nodes() == 1) return {2, 1, 1};
  const std::int64_t per_node = placement.fullest();
  const std::int64_t step = plan.request.data_inside ? plan.replicas.ranks : 1;
  if (!plan.request.data_inside && inside_nodes(placement, plan.shape.stages)) return {2, 1, 1};
  const bool across = step >= per_node || stage * step % per_node == 0;
  return {2, across ? 2 : 1, static_cast<double>(std::min(step, per_node))};
}

std::vector<Stage> stages_of(const Plan& plan, const std::vector<std::size_t>& firsts) {
  std::vector<Stage> stages(static_cast<std::size_t>(plan.shape.stages));
  const auto& layers = plan.load.layers();
  for (std::size_t run = 0; run < firsts.size(); ++run) {
    const std::size_t end = run + 1 < firsts.size() ? firsts[run + 1] : layers.size();
    const LoadSum sum = plan.load.between(firsts[run], end);
    const std::size_t at = run % stages.size();
    Stage& stage = stages[at];
    stage.forward += sum.forward_of(plan.samples);
    stage.backward += sum.backward_of(plan.samples);
    stage.update += sum.update_of_all();
    stage.weights += sum.weights;
    stage.kept += sum.kept;
    if (run == 0) continue;
    const Bytes message = plan.samples * crossing(layers[firsts[run] - 1]) * plan.load.terms().element;
    const collectives::Group link = link_into(plan, static_cast<std::int64_t>(at));
    stage.entry +=
        2 * collective_cost(plan.query.fabric, collectives::Collective::p2p, message, link).total();
  }
  return stages;
}

// All micro-batches through all stages: the slowest stage is busy throughout, the others fill and drain.
Seconds makespan(const Plan& plan, const std::vector<Stage>& stages, double transfers) {
  Stage sum;
  Stage most;
  Seconds longest{};
  for (const Stage& stage : stages) {
    const Seconds forward = stage.forward + transfers / 2 * stage.entry;
    const Seconds backward = stage.backward + transfers / 2 * stage.entry;
    sum.forward += forward;
    sum.backward += backward;
    most.forward = std::max(most.forward, forward);
    most.backward = std::max(most.backward, backward);
    longest = std::max(longest, forward + backward);
  }
  const auto micro = static_cast<double>(plan.shape.micro);
  if (plan.request.schedule == Schedule::gpipe) longest = most.forward + most.backward;
  return micro * longest + (sum.forward + sum.backward - longest) / static_cast<double>(plan.shape.pieces);
}

predict::MemoryNeed fullest_stage(const Plan& plan, const std::vector<Stage>& stages) {
  predict::MemoryNeed fullest{};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const double held =
        micro_in_flight(plan.request.schedule, plan.shape, static_cast<std::int64_t>(i)) * plan.samples;
    const predict::MemoryNeed memory =
        memory_of(plan.load.terms(), {stages[i].weights, held * stages[i].kept});
    if (memory.total() >= fullest.total()) fullest = memory;
  }
  return fullest;
}

// The stages of a node share its card: a stage waits for the bytes of all, not for as many times its own.
collectives::Group sharing_card(const Plan& plan, double weights) {
  collectives::Group group = plan.replicas;
  if (weights > 0) group.flows = std::min(group.flows, plan.load.total().weights / weights);
  return group;
}

struct Sums {
  Seconds busy = {};
  Seconds exposed = {};
};

// Gradients of a stage are ready with its last micro-batch; later stages end earlier, by the backward
// passes of those before them.
Sums sum_gradients(const Plan& plan, const std::vector<Stage>& stages,
                   const std::vector<std::size_t>& firsts) {
  Sums sums;
  if (plan.replicas.ranks < 2) return sums;
  const auto& layers = plan.load.layers();
  // Of a stage's last micro-batch, the last piece alone is behind all others.
  const double piece = 1 / static_cast<double>(plan.shape.pieces);
  Seconds earlier{};
  for (std::size_t at = 0; at < stages.size(); ++at) {
    GradientStream stream({&plan.query.fabric, collectives::Collective::all_reduce,
                           sharing_card(plan, stages[at].weights), plan.request.bucket,
                           plan.request.overlap});
    Seconds now{};
    for (std::size_t run = firsts.size(); run-- > 0;) {
      if (run % stages.size() != at) continue;
      const std::size_t end = run + 1 < firsts.size() ? firsts[run + 1] : layers.size();
      const Seconds begun = now;
      for (std::size_t i = end; i-- > firsts[run];) {
        now = begun + piece * plan.load.between(i, end).backward_of(plan.samples);
        stream.add(now, layers[i].weights * plan.load.terms().element);
      }
    }
    stream.finish(now);
    sums.busy = std::max(sums.busy, stream.busy());
    sums.exposed = std::max(sums.exposed, stream.exposed() - earlier);
    earlier += piece * stages[at].backward;
  }
  return sums;
}

ParallelCost cost_of_cuts(const Plan& plan, const std::vector<std::size_t>& firsts) {
  const std::vector<Stage> stages = stages_of(plan, firsts);
  const auto micro = static_cast<double>(plan.shape.micro);
  Seconds longest{};
  Seconds entry{};
  Seconds update{};
  for (const Stage& stage : stages) {
    longest = std::max(longest, stage.forward + stage.backward);
    entry = std::max(entry, stage.entry);
    update = std::max(update, stage.update);
  }
  const Seconds alone = makespan(plan, stages, 0);
  const Sums sums = sum_gradients(plan, stages, firsts);
  ParallelCost cost;
  cost.compute = micro * longest + update;
  cost.bubble = alone - micro * longest;
  cost.communication = (micro + static_cast<double>(plan.shape.stages) - 2) * entry + sums.busy;
  cost.exposed = makespan(plan, stages, 1) - alone + sums.exposed;
  cost.input = plan.load.terms().input;
  cost.degrees.data = plan.replicas.ranks;
  cost.degrees.stages = plan.shape.stages;
  cost.degrees.micro = plan.shape.micro;
  cost.degrees.virtual_stages = plan.shape.pieces;
  set_memory(cost, plan.query, fullest_stage(plan, stages));
  return cost;
}

bool better(const ParallelCost& a, const ParallelCost& b) {
  if ((a.fill > 1) != (b.fill > 1)) return b.fill > 1;
  return a.fill > 1 ? a.fill < b.fill : a.step() < b.step();
}

ParallelCost cost_of_samples(const ParallelQuery& query, const PipelineRequest& request,
                             const PipelineShape& shape, double samples) {
  const std::int64_t replicas = query.placement.total() / shape.stages;
  const Groups groups = split_groups(query.placement, request.data_inside ? replicas : shape.stages);
  const std::shared_ptr<const Workload> load = slowest_load(query).for_pass(samples);
  const Plan plan{query, request, *load, shape, samples, request.data_inside ? groups.inner : groups.outer};
  std::optional<ParallelCost> best;
  const auto runs = static_cast<std::size_t>(shape.stages * shape.pieces);
  const auto candidates = candidate_cuts(plan.load, runs, samples);
  for (const Cuts& cuts : *candidates) {
    const ParallelCost cost = cost_of_cuts(plan, cuts);
    if (!best || better(cost, *best)) best = cost;
  }
  return *best;
}

// Some micro-batches have a sample more than the others: between a step of small ones and one of large ones,
// with the memory of the latter.
ParallelCost between(const ParallelCost& small, ParallelCost large, double share_of_large) {
  const auto mix = [&](Seconds ParallelCost::*part) {
    large.*part = (1 - share_of_large) * small.*part + share_of_large * large.*part;
  };
  for (const auto part : {&ParallelCost::compute, &ParallelCost::communication, &ParallelCost::exposed,
                          &ParallelCost::bubble, &ParallelCost::input}) {
    mix(part);
  }
  return large;
}

}  // namespace

ParallelResult pipeline_cost(const ParallelQuery& query, const PipelineRequest& request) {
  const auto shaped = shape_of(query, request);
  if (const auto* why = std::get_if<Infeasible>(&shaped)) return *why;
  const auto& shape = std::get<PipelineShape>(shaped);
  const double samples = replica_batch(query, request) / static_cast<double>(shape.micro);
  const double small = std::floor(samples);
  if (samples == small) return cost_of_samples(query, request, shape, samples);
  return between(cost_of_samples(query, request, shape, small),
                 cost_of_samples(query, request, shape, small + 1), samples - small);
}

}  // namespace sextant::parallel
