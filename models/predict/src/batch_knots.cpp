#include "batch_knots.h"

#include <cmath>

#include "sextant/nets/network.h"
#include "sextant/predict/memory.h"

namespace sextant::predict {
namespace {

std::string size_text(const std::optional<std::int64_t>& size) {
  return size ? std::to_string(*size) : std::string();
}

std::string knots_key(const Stack& stack, const Query& q, const CaseLabels& labels) {
  const nets::Binding& s = q.job.sizes;
  return stack.id + "|" + q.gpu.id + "|" + labels.net + "|" + labels.mode + "|" + labels.precision + "|" +
         to_string(q.job.optimizer) + "|" + size_text(s.image) + "|" + size_text(s.seq) + "|" +
         size_text(s.classes);
}

// The batches that effects of this question depend on.
std::vector<std::int64_t> fitted_batches(const Stack& stack, const Anchor* anchor, const CaseLabels& labels,
                                         const std::string& gpu) {
  if (anchor != nullptr) return anchor->effects.batches_of(labels);
  return (stack.departures.contains(gpu) ? stack.effects : stack.shared_effects).batches_of(labels);
}

BatchKnot knot_at(const Stack& stack, const Anchor* anchor, const Query& q, std::int64_t batch) {
  jobs::Job job = q.job;
  job.sizes.batch = batch;
  const nets::Graph graph = build(nets::zoo().get(job.net), job.sizes);
  const nets::GraphCost counted = cost(graph, job.precision);
  const Observation there = observation_of({job, graph, counted, q.gpu}, stack.traits);
  const StackEstimate e = anchor == nullptr ? estimate(stack, there) : estimate(stack, *anchor, there);
  return {std::log(e.step.total), e.log_total, static_cast<double>(batch)};
}

}  // namespace

const std::vector<BatchKnot>& BatchKnots::of(const Stack& stack, const Anchor* anchor, const Query& query,
                                             const CaseLabels& labels) const {
  static const std::vector<BatchKnot> none;
  if (nets::zoo().find(query.job.net) == nullptr) return none;  // strangers to every stack
  const std::lock_guard lock(mutex_);
  auto& knots = known_[knots_key(stack, query, labels)];
  if (knots) return *knots;
  auto made = std::make_unique<std::vector<BatchKnot>>();
  for (const std::int64_t batch : fitted_batches(stack, anchor, labels, query.gpu.id)) {
    made->push_back(knot_at(stack, anchor, query, batch));
  }
  knots = std::move(made);
  return *knots;
}

Observation observation_of(const Query& q, const StackTraits& traits) {
  Observation o;
  o.kernels = std::make_shared<const KernelList>(lower_for(q.graph, q.job, traits));
  o.device = device_for(q.gpu, q.job.precision, traits);
  o.device.pressure = memory_pressure(memory_need(q.graph, q.cost, q.job).total() / q.gpu.memory);
  o.labels = labels_of(q.job, q.graph, q.gpu);
  o.instance = q.gpu.id;
  return o;
}

}  // namespace sextant::predict
