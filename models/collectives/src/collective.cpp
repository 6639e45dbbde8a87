#include "sextant/collectives/collective.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sextant/core/text.h"

namespace sextant::collectives {
namespace {

constexpr std::array<const char*, 6> kCollectives = {"all-reduce", "reduce-scatter", "all-gather",
                                                     "broadcast",  "all-to-all",     "p2p"};
constexpr std::array<const char*, 9> kAlgorithms = {
    "direct", "ring",     "tree",         "recursive-doubling", "halving-doubling",
    "chain",  "pairwise", "hierarchical", "in-switch"};

// `steps` messages one after another, `bytes` of payload over the slowest link in all.
CollectiveCost steps_of(double steps, Bytes bytes, const Path& path) {
  return {steps * path.latency, (bytes + steps * path.half_size) / path.bandwidth};
}

double log2_up(double ranks) {
  return std::ceil(std::log2(ranks));
}

// (p - 2 + c) messages of m / c: the best whole number of chunks c.
CollectiveCost chain_cost(const Path& path, Bytes buffer, double ranks) {
  const Seconds start = path.latency + path.half_size / path.bandwidth;
  const Seconds whole = buffer / path.bandwidth;
  const double best = start.value > 0 ? std::sqrt(std::max(0.0, ranks - 2) * (whole / start)) : 1024;
  const double chunks = std::clamp(std::round(best), 1.0, 1e6);
  return steps_of(ranks - 2 + chunks, (ranks - 2 + chunks) / chunks * buffer, path);
}

std::optional<CollectiveCost> all_reduce(Algorithm algorithm, const Path& path, Bytes m, double p) {
  switch (algorithm) {
    case Algorithm::ring:
      return steps_of(2 * (p - 1), 2 * (p - 1) / p * m, path);
    case Algorithm::tree:
      return steps_of(2 * log2_up(p), 2 * log2_up(p) * m, path);
    case Algorithm::recursive_doubling:
      return steps_of(log2_up(p), log2_up(p) * m, path);
    case Algorithm::halving_doubling:
      return steps_of(2 * log2_up(p), 2 * (p - 1) / p * m, path);
    case Algorithm::in_switch:
      // A rank gets the sum of its own part and hands it to all others: the buffer and a part more.
      if (!path.reduces) return std::nullopt;
      return steps_of(p, (p + 1) / p / kSwitchShare * m, path);
    default:
      return std::nullopt;
  }
}

// Half of an all-reduce each.
std::optional<CollectiveCost> half_of_all_reduce(Algorithm algorithm, const Path& path, Bytes m, double p) {
  switch (algorithm) {
    case Algorithm::ring:
      return steps_of(p - 1, (p - 1) / p * m, path);
    case Algorithm::recursive_doubling:
      return steps_of(log2_up(p), (p - 1) / p * m, path);
    default:
      return std::nullopt;
  }
}

std::optional<CollectiveCost> broadcast(Algorithm algorithm, const Path& path, Bytes m, double p) {
  switch (algorithm) {
    case Algorithm::tree:
      return steps_of(log2_up(p), log2_up(p) * m, path);
    case Algorithm::chain:
      return chain_cost(path, m, p);
    default:
      return std::nullopt;
  }
}

CollectiveCost sum(const CollectiveCost& a, const CollectiveCost& b) {
  return {a.latency + b.latency, a.transfer + b.transfer, Algorithm::hierarchical};
}

CollectiveCost cheapest_flat(Collective collective, const Path& path, const Message& message) {
  std::optional<CollectiveCost> best;
  for (std::size_t i = 0; i < kAlgorithms.size(); ++i) {
    const auto cost = flat_cost(collective, static_cast<Algorithm>(i), path, message);
    if (cost && (!best || cost->total() < best->total())) best = cost;
  }
  return best.value_or(CollectiveCost{});
}

Path shared(const Path& path, double flows) {
  return {path.latency, path.bandwidth / std::max(1.0, flows), path.half_size};
}

// Every rank of a node takes its part of the buffer across, so that k flows share the card unless the
// stated path is already one of many; then the parts are put together inside.
CollectiveCost hierarchical(const Fabric& fabric, Collective collective, Bytes m, const Group& group) {
  const std::int64_t k = group.per_node();
  const Path across = shared(*fabric.across, group.flows * static_cast<double>(k));
  const Message inside{m, k};
  const Message outside{m / static_cast<double>(k), group.nodes};
  switch (collective) {
    case Collective::all_reduce:
      return sum(sum(cheapest_flat(Collective::reduce_scatter, fabric.inside, inside),
                     cheapest_flat(Collective::all_gather, fabric.inside, inside)),
                 cheapest_flat(Collective::all_reduce, across, outside));
    case Collective::broadcast:
      return sum(cheapest_flat(collective, fabric.inside, inside),
                 cheapest_flat(collective, shared(*fabric.across, group.flows), {m, group.nodes}));
    default:
      return sum(cheapest_flat(collective, fabric.inside, inside),
                 cheapest_flat(collective, across, outside));
  }
}

Path slowest(const Path& a, const Path& b) {
  return {std::max(a.latency, b.latency), std::min(a.bandwidth, b.bandwidth),
          std::max(a.half_size, b.half_size)};
}

// The slowest path of a ring through all ranks, which crosses each card once in each direction.
Path flat_path(const Fabric& fabric, const Group& group) {
  if (group.nodes < 2) return fabric.inside;
  if (!fabric.across) {
    throw InputError(at_field("network"), "no network joins the nodes",
                     "name a link, as in `network` ethernet-100g");
  }
  const Path across = shared(*fabric.across, group.flows);
  return group.ranks == group.nodes ? across : slowest(fabric.inside, across);
}

bool layers(Collective collective, const Group& group) {
  return group.nodes > 1 && group.ranks > group.nodes && collective != Collective::p2p;
}

}  // namespace

std::string to_string(Collective collective) {
  return kCollectives.at(static_cast<std::size_t>(collective));
}

std::string to_string(Algorithm algorithm) {
  return kAlgorithms.at(static_cast<std::size_t>(algorithm));
}

Collective parse_collective(std::string_view name, const SourcePos& at) {
  const std::string folded = fold_name(name);
  for (std::size_t i = 0; i < kCollectives.size(); ++i) {
    if (folded == fold_name(kCollectives[i])) return static_cast<Collective>(i);
  }
  if (folded == fold_name("send-recv")) return Collective::p2p;
  throw InputError(at, "unknown collective '" + std::string(name) + "'", name_hint(name, collective_names()));
}

Algorithm parse_algorithm(std::string_view name, const SourcePos& at) {
  const std::string folded = fold_name(name);
  for (std::size_t i = 0; i < kAlgorithms.size(); ++i) {
    if (folded == fold_name(kAlgorithms[i])) return static_cast<Algorithm>(i);
  }
  throw InputError(at, "unknown algorithm '" + std::string(name) + "'", name_hint(name, algorithm_names()));
}

std::vector<std::string> algorithm_names() {
  return {kAlgorithms.begin(), kAlgorithms.end()};
}

std::vector<std::string> collective_names() {
  return {kCollectives.begin(), kCollectives.end()};
}

std::optional<CollectiveCost> flat_cost(Collective collective, Algorithm algorithm, const Path& path,
                                        Message message) {
  const auto p = static_cast<double>(message.ranks);
  const Bytes m = message.buffer;
  if (message.ranks < 2) return CollectiveCost{{}, {}, algorithm};
  std::optional<CollectiveCost> cost;
  switch (collective) {
    case Collective::all_reduce:
      cost = all_reduce(algorithm, path, m, p);
      break;
    case Collective::reduce_scatter:
    case Collective::all_gather:
      cost = half_of_all_reduce(algorithm, path, m, p);
      break;
    case Collective::broadcast:
      cost = broadcast(algorithm, path, m, p);
      break;
    case Collective::all_to_all:
      if (algorithm == Algorithm::pairwise) cost = steps_of(p - 1, (p - 1) / p * m, path);
      break;
    case Collective::p2p:
      if (algorithm == Algorithm::direct) cost = steps_of(1, m, path);
      break;
  }
  if (cost) cost->algorithm = algorithm;
  return cost;
}

CollectiveCost collective_cost(const Fabric& fabric, Collective collective, Bytes buffer,
                               const Group& group) {
  if (group.ranks < 2) return {};
  const Path path = collective == Collective::p2p && group.nodes > 1
                        ? flat_path(fabric, {group.nodes, group.nodes, group.flows})
                        : flat_path(fabric, group);
  const CollectiveCost flat = cheapest_flat(collective, path, {buffer, group.ranks});
  if (!layers(collective, group)) return flat;
  const CollectiveCost layered = hierarchical(fabric, collective, buffer, group);
  return layered.total() < flat.total() ? layered : flat;
}

std::optional<CollectiveCost> algorithm_cost(const Fabric& fabric, Algorithm algorithm,
                                             const CollectiveTask& task) {
  const Group& group = task.group;
  if (algorithm != Algorithm::hierarchical) {
    return flat_cost(task.collective, algorithm, flat_path(fabric, group), {task.buffer, group.ranks});
  }
  if (!layers(task.collective, group)) return std::nullopt;
  (void)flat_path(fabric, group);  // InputError without a network
  return hierarchical(fabric, task.collective, task.buffer, group);
}

}  // namespace sextant::collectives
