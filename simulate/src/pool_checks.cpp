#include "pool_checks.h"

#include <optional>

#include "sextant/core/text.h"

namespace sextant {
namespace {

// The cheapest machine on offer with this GPU, by the price of one of its GPUs.
std::optional<double> cheapest_usd_h(const Gpu& gpu, const Catalog& catalog) {
  std::optional<double> best;
  for (const Machine& machine : catalog.machines.all()) {
    const bool rentable = machine.listed && !machine.accelerator_only && machine.gpu_known;
    if (!rentable || machine.gpu != gpu.id || machine.gpu_count <= 0) continue;
    const auto rate = lowest_on_demand(machine);
    if (!rate) continue;
    const double of_one = (*rate * kHour).value / machine.gpu_count;
    if (!best || of_one < *best) best = of_one;
  }
  return best;
}

}  // namespace

void check_pool_count(std::int64_t count, const char* what, const SourcePos& at) {
  if (count >= 1 && count <= kLargestPool) return;
  throw InputError(at, std::to_string(count) + " " + what + ": a pool has from 1 to ten million");
}

void check_total(const ClusterSpec& cluster, const SourcePos& at) {
  if (cluster.gpus() <= kLargestPool) return;
  throw InputError(at, "the pools have " + std::to_string(cluster.gpus()) +
                           " GPUs together; a cluster has at most ten million");
}

void PoolNames::add(const std::string& type, const SourcePos& at) {
  const auto [it, fresh] = seen_.emplace(fold_name(type), type);
  if (fresh) return;
  throw InputError(at, "there is a pool of '" + it->second + "' already", "one pool per type: add its GPUs");
}

void complete_from_catalog(GpuPool& pool, const Catalog& catalog, const PoolStatements& said) {
  if (const Gpu* gpu = catalog.gpus.find(pool.type)) {
    if (!said.price) pool.price_usd_h = cheapest_usd_h(*gpu, catalog).value_or(0);
    if (!said.power && gpu->tdp) pool.power_w = gpu->tdp->value;
  }
  if (!said.idle) pool.idle_w = kIdleFraction * pool.power_w;
}

}  // namespace sextant
