#include "hetpipe.h"

#include <algorithm>

namespace sextant::parallel {
namespace {

bool equal_nodes(const jobs::Placement& placement) {
  return std::ranges::all_of(placement.gpus, [&](std::int64_t n) { return n == placement.gpus.front(); });
}

std::vector<VirtualWorker> node_wise(const jobs::Placement& placement) {
  std::vector<VirtualWorker> workers;
  for (std::size_t node = 0; node < placement.gpus.size(); ++node) {
    if (placement.gpus[node] == 0) continue;
    workers.emplace_back(static_cast<std::size_t>(placement.gpus[node]),
                         VirtualGpu{node, placement.class_of(node)});
  }
  return workers;
}

std::vector<VirtualWorker> one_of_each(const jobs::Placement& placement) {
  if (!equal_nodes(placement)) return {};
  std::vector<VirtualWorker> workers(static_cast<std::size_t>(placement.gpus.front()));
  for (VirtualWorker& worker : workers) {
    for (std::size_t node = 0; node < placement.gpus.size(); ++node) {
      worker.push_back({node, placement.class_of(node)});
    }
  }
  return workers;
}

std::vector<VirtualWorker> halves_of_two(const ParallelQuery& query) {
  const jobs::Placement& placement = query.placement;
  const std::int64_t gpus = placement.gpus.front();
  if (!equal_nodes(placement) || placement.nodes() % 2 != 0 || gpus % 2 != 0) return {};
  std::vector<std::size_t> order(placement.gpus.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t node) {
    return query.devices[placement.class_of(node)].load->step(query.batch);
  });
  std::vector<VirtualWorker> workers;
  for (std::size_t i = 0; i < order.size() / 2; ++i) {
    const std::size_t fast = order[i];
    const std::size_t slow = order[order.size() - 1 - i];
    const auto half = static_cast<std::size_t>(gpus / 2);
    VirtualWorker worker(half, VirtualGpu{fast, placement.class_of(fast)});
    worker.insert(worker.end(), half, VirtualGpu{slow, placement.class_of(slow)});
    workers.push_back(worker);
    workers.push_back(worker);
  }
  return workers;
}

}  // namespace

double hetpipe_staleness(std::int64_t in_flight, std::int64_t clock) {
  const auto local = static_cast<double>(in_flight - 1);
  return (static_cast<double>(clock) + 1) * (local + 1) + local - 1;
}

std::vector<VirtualWorker> group_gpus(const ParallelQuery& query, Grouping grouping) {
  if (query.placement.gpus.empty()) return {};
  switch (grouping) {
    case Grouping::node_wise:
      return node_wise(query.placement);
    case Grouping::equal:
      return one_of_each(query.placement);
    case Grouping::hybrid:
      return halves_of_two(query);
  }
  return {};
}

}  // namespace sextant::parallel
