#include "virtual_worker.h"

#include <algorithm>
#include <array>

#include "cut_chain.h"
#include "parts.h"

namespace sextant::parallel {
namespace {

struct Pipe {
  const ParallelQuery& query;
  const VirtualWorker& worker;
  const WaveShape& wave;

  [[nodiscard]] const DeviceClass& device(std::size_t stage) const {
    return query.devices[worker[stage].kind];
  }
  // Weights are updated with every minibatch.
  [[nodiscard]] Seconds work(const Run& run) const {
    const LoadSum sum = device(run.at).load->between(run.first, run.end);
    return sum.forward_of(wave.samples) + sum.backward_of(wave.samples) + sum.update;
  }
  // An activation in and its gradient back.
  [[nodiscard]] Seconds entry(std::size_t stage, std::size_t first) const {
    if (stage == 0 || first == 0) return {};
    return transfer(*device(stage).load, first, worker[stage].node == worker[stage - 1].node ? 1 : 2);
  }
  [[nodiscard]] Seconds transfer(const Workload& load, std::size_t first, std::int64_t nodes) const {
    const LayerLoad& before = load.layers()[first - 1];
    const double elements = before.crossing > 0 ? before.crossing : before.output;
    const Bytes message = wave.samples * elements * load.terms().element;
    return 2 * collective_cost(query.fabric, collectives::Collective::p2p, message, {2, nodes, 1}).total();
  }
  [[nodiscard]] predict::MemoryNeed memory(const Run& run) const {
    const Workload& load = *device(run.at).load;
    const LoadSum sum = load.between(run.first, run.end);
    const auto left = static_cast<std::int64_t>(worker.size() - run.at);
    const double held = static_cast<double>(std::min(wave.in_flight, left)) * wave.samples;
    return memory_of(load.terms(), {sum.weights, held * sum.kept});
  }
  [[nodiscard]] double fill(const Run& run) const {
    const Bytes capacity = device(run.at).memory;
    return capacity > Bytes{} ? memory(run).total() / capacity : 0;
  }
};

using Entries = std::array<std::vector<Seconds>, 2>;  // at each layer: from the same node, from another

// Elements do not depend on the kind of device, so that there are two costs a layer.
Entries entries_of(const Pipe& pipe, std::size_t layers) {
  const Workload& load = *pipe.device(0).load;
  Entries entries;
  for (std::size_t across = 0; across < 2; ++across) {
    entries[across].resize(layers);
    if (across == 1 && !pipe.query.fabric.across) continue;
    for (std::size_t i = 1; i < layers; ++i) {
      entries[across][i] = pipe.transfer(load, i, static_cast<std::int64_t>(across) + 1);
    }
  }
  return entries;
}

// Time of the first 0, 1, ... layers, for each kind of device that the worker has.
std::vector<std::vector<double>> sums_of(const Pipe& pipe, std::size_t layers) {
  std::vector<std::vector<double>> sums(pipe.query.devices.size());
  for (std::size_t k = 0; k < pipe.worker.size(); ++k) {
    std::vector<double>& own = sums[pipe.worker[k].kind];
    if (!own.empty()) continue;
    for (std::size_t i = 0; i <= layers; ++i) own.push_back(pipe.work({k, 0, i}).value);
  }
  return sums;
}

// The slowest stage, with what it receives, as fast as can be.
struct FastestFitting {
  const Pipe& pipe;
  const Entries& entries;
  const std::vector<std::vector<double>>& sums;
  bool fitting = true;

  [[nodiscard]] double work(const Run& run) const {
    const std::vector<double>& own = sums[pipe.worker[run.at].kind];
    return own[run.end] - own[run.first];
  }
  [[nodiscard]] static bool stop(double work, double best) { return work >= best; }
  [[nodiscard]] bool allows(const Run& run) const { return !fitting || pipe.fill(run) <= 1; }
  [[nodiscard]] double join(double before, const Run& run, double work) const {
    if (run.at == 0) return std::max(before, work);
    const bool across = pipe.worker[run.at].node != pipe.worker[run.at - 1].node;
    return std::max(before, work + entries[across ? 1 : 0][run.first].value);
  }
};

// Within the memory, or, if that cannot be, without regard to it.
std::vector<std::size_t> cut(const Pipe& pipe, std::size_t layers) {
  const Entries entries = entries_of(pipe, layers);
  const auto sums = sums_of(pipe, layers);
  auto firsts = cut_chain(layers, pipe.worker.size(), FastestFitting{pipe, entries, sums, true});
  if (!firsts.empty()) return firsts;
  return cut_chain(layers, pipe.worker.size(), FastestFitting{pipe, entries, sums, false});
}

}  // namespace

VirtualWorkerCost virtual_worker_cost(const ParallelQuery& query, const VirtualWorker& worker,
                                      const WaveShape& wave) {
  const Pipe pipe{query, worker, wave};
  const std::size_t layers = query.devices[worker[0].kind].load->layers().size();
  const std::vector<std::size_t> firsts = cut(pipe, layers);
  VirtualWorkerCost cost;
  Seconds work{};
  Seconds all{};
  for (std::size_t k = 0; k < worker.size(); ++k) {
    const Run run{k, firsts[k], k + 1 < firsts.size() ? firsts[k + 1] : layers};
    const Seconds entry = pipe.entry(k, run.first);
    cost.stage = std::max(cost.stage, pipe.work(run));
    cost.period = std::max(cost.period, pipe.work(run) + entry);
    cost.transfer = std::max(cost.transfer, entry);
    cost.weights = std::max(cost.weights, pipe.device(k).load->between(run.first, run.end).weights);
    work += pipe.work(run);
    all += pipe.work(run) + entry;
    const predict::MemoryNeed memory = pipe.memory(run);
    const double fill = pipe.fill(run);
    if (fill > cost.fill || (fill == cost.fill && memory.total() > cost.memory.total())) {
      cost.fill = fill;
      cost.memory = memory;
    }
  }
  // A minibatch passes all stages before the one that is `in_flight` later can enter.
  const auto in_flight = static_cast<double>(wave.in_flight);
  cost.alone = std::max(cost.stage, work / in_flight);
  cost.period = std::max(cost.period, all / in_flight);
  return cost;
}

}  // namespace sextant::parallel
