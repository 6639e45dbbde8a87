#include "server_traffic.h"

#include <algorithm>

#include "parameter_server.h"
#include "parts.h"

namespace sextant::parallel {
namespace {

std::vector<Bytes> deal(const Workload& load, const ServerSetup& setup, const std::vector<Bandwidth>& rates) {
  const Bytes element = load.terms().element;
  const Bytes model = load.total().weights * element;
  if (setup.dealing == Dealing::equal) return equal_shards(model, rates.size());
  if (setup.dealing == Dealing::proportional) return proportional_shards(model, rates);
  std::vector<Bytes> tensors;
  for (const LayerLoad& layer : load.layers()) {
    if (layer.weights > 0) tensors.push_back(layer.weights * element);
  }
  std::vector<Bytes> shards = tensor_shards(tensors, rates.size());
  std::ranges::sort(shards);  // the least to the slow server, which is the first
  return shards;
}

}  // namespace

ServerTraffic server_traffic(const ParallelQuery& query, const ServerSetup& setup) {
  const Workload& load = slowest_load(query);
  const jobs::Placement& placement = query.placement;
  // On one node the devices talk to each other directly; on several their cards do.
  const bool one_node = placement.nodes() == 1 && setup.colocated;
  const collectives::Path& path = one_node ? query.fabric.inside : *query.fabric.across;
  const auto workers = static_cast<double>(placement.total());
  const auto sharing = static_cast<double>(one_node ? 1 : placement.fullest());
  const auto places = one_node ? placement.total() : placement.nodes();
  std::vector<Bandwidth> rates(static_cast<std::size_t>(setup.servers), path.bandwidth);
  rates[0] = setup.slow * path.bandwidth;
  const std::vector<Bytes> shards = deal(load, setup, rates);
  const Bytes model = load.total().weights * load.terms().element;
  // Workers do not send what stays in their node, if every node has a server.
  const Bytes stays = setup.colocated && setup.servers == places ? std::ranges::min(shards) : Bytes{};
  const double callers = setup.colocated ? workers - sharing : workers;
  const auto servers = static_cast<double>(setup.servers);
  const Seconds starts = servers * (path.latency + path.half_size / path.bandwidth);
  const Seconds out = (model - stays) / path.bandwidth;
  return {starts + std::max(sharing * out, shards_time(shards, rates, callers)),
          starts + std::max(out, shards_time(shards, rates, callers > 0 ? 1 : 0))};
}

}  // namespace sextant::parallel
