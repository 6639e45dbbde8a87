#include "paradl.h"

#include <algorithm>

namespace sextant::parallel {
namespace {

Seconds ring(collectives::Collective collective, const collectives::Path& path, Bytes buffer, double ranks) {
  const collectives::Message message{buffer, static_cast<std::int64_t>(ranks)};
  return flat_cost(collective, collectives::Algorithm::ring, path, message)
      .value_or(collectives::CollectiveCost{})
      .total();
}

double steps(const ParadlRun& run) {
  return run.dataset / run.batch;
}

// How one device is spared: its part of the samples' work, of the weights, of the activations.
struct Parts {
  double work = 1;
  double weights = 1;
  double activations = 1;
};

Seconds compute(const Workload& load, const ParadlRun& run, const Parts& parts) {
  const LoadSum& sum = load.total();
  return parts.work * run.dataset * (sum.forward + sum.backward) + parts.weights * steps(run) * sum.update;
}

// 2 delta sum(B (|x| + |y|) + |w|)
Bytes memory(const Workload& load, const ParadlRun& run, const Parts& parts) {
  double elements = 0;
  for (const LayerLoad& layer : load.layers()) {
    elements += parts.activations * run.batch * (layer.input + layer.output) + parts.weights * layer.weights;
  }
  return 2 * elements * load.terms().element;
}

Seconds sum_gradients(const Workload& load, const ParadlRun& run, double ranks, double part) {
  const collectives::Path shared{run.link.latency, run.link.bandwidth / run.contention, run.link.half_size};
  const Bytes gradients = part * load.total().weights * load.terms().element;
  return steps(run) * ring(collectives::Collective::all_reduce, shared, gradients, ranks);
}

// Outputs gathered forward, input gradients summed backward, for all layers but the last.
Seconds exchange_filters(const Workload& load, const ParadlRun& run, double ranks, double samples) {
  Seconds time{};
  for (std::size_t i = 0; i + 1 < load.layers().size(); ++i) {
    const Bytes buffer = samples * load.layers()[i].output * load.terms().element;
    time += ring(collectives::Collective::all_gather, run.link, buffer, ranks) +
            ring(collectives::Collective::all_reduce, run.link, buffer, ranks);
  }
  return steps(run) * time;
}

// 2 sum(2 alpha + B (halo(x) + halo(dy)) delta beta), for layers whose windows reach over the border.
Seconds exchange_halos(const Workload& load, const ParadlRun& run, double samples) {
  Seconds time{};
  for (const LayerLoad& layer : load.layers()) {
    if (layer.halo == 0 || layer.height == 0) continue;
    const auto height = static_cast<double>(layer.input_height > 0 ? layer.input_height : layer.height);
    const double elements = static_cast<double>(layer.halo) / height * (layer.input + layer.output);
    time += 2 * run.link.latency + samples * elements * load.terms().element / run.link.bandwidth;
  }
  return 2 * steps(run) * time;
}

}  // namespace

ParadlCost paradl_serial(const Workload& load, const ParadlRun& run) {
  return {compute(load, run, {}), {}, memory(load, run, {})};
}

ParadlCost paradl_data(const Workload& load, const ParadlRun& run) {
  const Parts parts{1 / run.devices, 1, 1 / run.devices};
  return {compute(load, run, parts), sum_gradients(load, run, run.devices, 1), memory(load, run, parts)};
}

ParadlCost paradl_spatial(const Workload& load, const ParadlRun& run) {
  return paradl_data_spatial(load, run, run.devices);
}

ParadlCost paradl_filter(const Workload& load, const ParadlRun& run) {
  return paradl_data_filter(load, run, run.devices);
}

ParadlCost paradl_channel(const Workload& load, const ParadlRun& run) {
  return paradl_filter(load, run);  // the two exchanges change places
}

ParadlCost paradl_data_filter(const Workload& load, const ParadlRun& run, double inner) {
  const double outer = run.devices / inner;
  const Parts parts{1 / run.devices, 1 / inner, 1 / outer};
  return {compute(load, run, parts),
          exchange_filters(load, run, inner, run.batch / outer) + sum_gradients(load, run, outer, 1 / inner),
          memory(load, run, parts)};
}

ParadlCost paradl_data_spatial(const Workload& load, const ParadlRun& run, double inner) {
  const Parts parts{1 / run.devices, 1, 1 / run.devices};
  return {
      compute(load, run, parts),
      exchange_halos(load, run, run.batch * inner / run.devices) + sum_gradients(load, run, run.devices, 1),
      memory(load, run, parts)};
}

ParadlCost paradl_pipeline(const Workload& load, const ParadlRun& run, std::span<const std::size_t> firsts) {
  LoadSum most;
  ParadlCost cost{};
  Seconds message{};
  for (std::size_t k = 0; k < firsts.size(); ++k) {
    const std::size_t end = k + 1 < firsts.size() ? firsts[k + 1] : load.layers().size();
    const LoadSum sum = load.between(firsts[k], end);
    most.forward = std::max(most.forward, sum.forward);
    most.backward = std::max(most.backward, sum.backward);
    most.update = std::max(most.update, sum.update);
    double elements = sum.weights;
    for (std::size_t i = firsts[k]; i < end; ++i) {
      elements += run.batch * (load.layers()[i].input + load.layers()[i].output);
    }
    cost.memory = std::max(cost.memory, 2 * elements * load.terms().element);
    if (k + 1 == firsts.size()) continue;
    const Bytes bytes = run.batch / run.segments * load.layers()[end - 1].output * load.terms().element;
    message = std::max(message, run.link.latency + bytes / run.link.bandwidth);
  }
  cost.compute =
      run.dataset * (run.devices + run.segments - 1) / run.segments * (most.forward + most.backward) +
      steps(run) * most.update;
  cost.communication = 2 * steps(run) * (run.devices + run.segments - 2) * message;
  return cost;
}

}  // namespace sextant::parallel
