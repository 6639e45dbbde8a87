#include "pool_checks.h"

#include <cmath>
#include <optional>

#include "sextant/core/text.h"

namespace sextant::clusters {
namespace {

std::optional<Dollars> hour_of_one_gpu(const catalog::Machine& machine) {
  const auto rate = lowest_on_demand(machine);
  if (!rate || machine.gpu_count <= 0) return std::nullopt;
  return *rate * kHour / machine.gpu_count;
}

// The cheapest machine on offer with this GPU, by the price of one of its GPUs.
std::optional<Dollars> cheapest_hour(const catalog::Gpu& gpu, const catalog::Catalog& catalog) {
  std::optional<Dollars> best;
  for (const catalog::Machine& machine : catalog.machines.all()) {
    const bool rentable = machine.listed && !machine.accelerator_only && machine.gpu_known;
    if (!rentable || machine.gpu != gpu.id) continue;
    const auto of_one = hour_of_one_gpu(machine);
    if (of_one && (!best || *of_one < *best)) best = of_one;
  }
  return best;
}

}  // namespace

void check_pool_count(std::int64_t count, const char* what, const SourcePos& at) {
  if (count >= 1 && count <= kLargestPool) return;
  throw InputError(at, std::to_string(count) + " " + what + ": a pool has from 1 to ten million");
}

void check_total(const Cluster& cluster, const SourcePos& at) {
  if (cluster.gpus() <= kLargestPool) return;
  throw InputError(at, "the pools have " + std::to_string(cluster.gpus()) +
                           " GPUs together; a cluster has at most ten million");
}

void PoolNames::add(const std::string& type, const SourcePos& at) {
  const auto [it, fresh] = seen_.emplace(fold_name(type), type);
  if (fresh) return;
  throw InputError(at, "there is a pool of '" + it->second + "' already", "one pool per type: add its GPUs");
}

void complete_from_catalog(Pool& pool, const catalog::Catalog& catalog, const PoolStatements& said) {
  if (const catalog::Gpu* gpu = catalog.gpus.find(pool.type)) {
    if (!said.price) {
      const auto price = pool.machine.empty() ? cheapest_hour(*gpu, catalog)
                                              : hour_of_one_gpu(catalog.machines.get(pool.machine));
      pool.hour_price = price.value_or(Dollars{});
    }
    if (!said.power && gpu->tdp) pool.power = *gpu->tdp;
  }
  if (!said.idle) pool.idle = kIdleFraction * pool.power;
}

double relative_speed(const catalog::Gpu& gpu, const catalog::Gpu& reference) {
  const double rates = gpu.fp32 / reference.fp32;
  const double bandwidths = gpu.memory_bandwidth / reference.memory_bandwidth;
  return std::sqrt(rates * bandwidths);
}

void complete_speeds(Cluster& cluster, const catalog::Catalog& catalog) {
  Pool& first = cluster.pools.front();
  if (first.speed_from == SpeedFrom::unknown) first.speed_from = SpeedFrom::reference;
  const catalog::Gpu* reference = catalog.gpus.find(first.type);
  for (Pool& pool : cluster.pools) {
    const catalog::Gpu* gpu = catalog.gpus.find(pool.type);
    if (pool.speed_from != SpeedFrom::unknown || gpu == nullptr || reference == nullptr) continue;
    const double speed = first.speed * relative_speed(*gpu, *reference);
    if (!(speed > 0) || !std::isfinite(speed)) continue;
    pool.speed = speed;
    pool.speed_from = SpeedFrom::catalogue;
  }
}

}  // namespace sextant::clusters
