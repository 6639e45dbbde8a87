#include "filter_split.h"

#include <cmath>

#include "groups.h"
#include "parts.h"

namespace sextant::parallel {
namespace {

// The part of `units` that the busiest of `devices` has.
double largest_part(std::int64_t units, std::int64_t devices) {
  const std::int64_t most = (units + devices - 1) / devices;
  return static_cast<double>(most) / static_cast<double>(units);
}

struct Ends {
  std::size_t first = 0;
  std::size_t last = 0;
  bool any = false;
};

Ends ends_of(const Workload& load, std::int64_t LayerLoad::*units) {
  Ends ends;
  for (std::size_t i = 0; i < load.layers().size(); ++i) {
    if (load.layers()[i].*units == 0) continue;
    if (!ends.any) ends.first = i;
    ends.last = i;
    ends.any = true;
  }
  return ends;
}

Infeasible nothing_to_split(const char* strategy, const char* units) {
  return {Limit::shape, std::string(strategy) + ": no layer has " + units + " to divide"};
}

Infeasible too_narrow(const char* strategy, const LayerLoad& layer, std::int64_t shards,
                      const std::string& units) {
  return {Limit::shape, std::string(strategy) + ": " + std::to_string(shards) + " devices, but layer '" +
                            layer.name + "' has " + units};
}

// Layers without channels of their own go with their neighbours.
void follow(LayerShare& share, std::int64_t shards) {
  share.time = share.weights = 1 / static_cast<double>(shards);
}

void divide(LayerShare& share, std::int64_t units, std::int64_t shards) {
  share.time = share.weights = largest_part(units, shards);
}

}  // namespace

std::optional<Infeasible> split_filters(const ParallelQuery& query, const char* strategy, ShardedStep& step) {
  const Workload& load = slowest_load(query);
  const std::int64_t shards = step.degrees.shards;
  const collectives::Group inner = split_groups(query.placement, shards).inner;
  const Ends ends = ends_of(load, &LayerLoad::filters);
  if (!ends.any) return nothing_to_split(strategy, "filters");
  const Bytes each = step.samples * load.terms().element;
  for (std::size_t i = 0; i < load.layers().size(); ++i) {
    const LayerLoad& layer = load.layers()[i];
    LayerShare& share = step.shares[i];
    if (layer.filters == 0) {
      follow(share, shards);
      continue;
    }
    if (layer.filters < shards) {
      return too_narrow(strategy, layer, shards, std::to_string(layer.filters) + " filters");
    }
    divide(share, layer.filters, shards);
    if (i != ends.last) {
      share.forward =
          collective_cost(query.fabric, collectives::Collective::all_gather, layer.output * each, inner)
              .total();
    }
    if (i != ends.first) {
      share.backward =
          collective_cost(query.fabric, collectives::Collective::all_reduce, layer.input * each, inner)
              .total();
    }
  }
  return std::nullopt;
}

std::optional<Infeasible> split_channels(const ParallelQuery& query, const char* strategy,
                                         ShardedStep& step) {
  const Workload& load = slowest_load(query);
  const std::int64_t shards = step.degrees.shards;
  const collectives::Group inner = split_groups(query.placement, shards).inner;
  const Ends ends = ends_of(load, &LayerLoad::channels);
  if (!ends.any || ends.first == ends.last) return nothing_to_split(strategy, "channels");
  const Bytes each = step.samples * load.terms().element;
  for (std::size_t i = 0; i < load.layers().size(); ++i) {
    const LayerLoad& layer = load.layers()[i];
    LayerShare& share = step.shares[i];
    if (i == ends.first) continue;
    if (layer.channels == 0) {
      follow(share, shards);
      continue;
    }
    if (layer.channels < shards) {
      return too_narrow(strategy, layer, shards, std::to_string(layer.channels) + " channels");
    }
    divide(share, layer.channels, shards);
    share.forward =
        collective_cost(query.fabric, collectives::Collective::all_reduce, layer.output * each, inner)
            .total();
    share.backward =
        collective_cost(query.fabric, collectives::Collective::all_gather, layer.input * each, inner).total();
  }
  return std::nullopt;
}

ParallelResult filter_cost(const ParallelQuery& query, const ShardRequest& request) {
  auto start = start_sharded(query, request);
  if (const auto* why = std::get_if<Infeasible>(&start)) return *why;
  auto& step = std::get<ShardedStep>(start);
  if (auto why = split_filters(query, request.strategy, step)) return *why;
  return sharded_cost(query, step);
}

}  // namespace sextant::parallel
