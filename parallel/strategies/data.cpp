// data: every device has the whole network and a part of the batch; gradients are summed in buckets while
// the backward pass goes on (Li et al., VLDB 2020; cost as in ParaDL, Kahira et al., HPDC 2021).
#include "gradient_stream.h"
#include "groups.h"
#include "parts.h"

namespace sextant {
namespace {

enum Parameter { bucket, overlap, slowdown };

StrategyResult cost(const StrategyQuery& query, const StrategyValues& values) {
  const std::int64_t devices = query.placement.total();
  if (auto uneven = uneven_batch("data", query.batch, devices)) return *uneven;
  const Workload& load = slowest_load(query);
  const double samples = query.batch / static_cast<double>(devices);
  GradientStream stream({&query.fabric, Collective::all_reduce, whole_group(query.placement),
                         Bytes{values[bucket]}, values[overlap] != 0});
  const double slower = values[overlap] != 0 ? values[slowdown] : 1;
  Seconds backward{};
  for (auto layer = load.layers().rbegin(); layer != load.layers().rend(); ++layer) {
    backward += slower * (layer->backward_start + samples * layer->backward);
    stream.add(backward, layer->weights * load.terms().element);
  }
  stream.finish(backward);
  StrategyCost cost;
  cost.compute = load.total().forward_of(samples) + backward + load.total().update;
  cost.communication = stream.busy();
  cost.exposed = stream.exposed();
  cost.overhead = load.terms().overhead;
  cost.layout.data = devices;
  set_memory(cost, query, memory_of(load.terms(), {load.total().weights, samples * load.total().kept}));
  return cost;
}

}  // namespace

StrategyInfo strategy_data() {
  StrategyInfo info;
  info.id = "data";
  info.summary = "every device trains the whole network on its part of the batch";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"data-parallel", "ddp"};
  info.parameters = {{"bucket", "bytes of gradients that are summed together", 25e6, 0, 1e12},
                     {"overlap", "1: during the backward pass, 0: after it", 1, 0, 1},
                     {"slowdown", "of the backward pass while gradients are summed", 1, 1, 2}};
  info.cost = cost;
  return info;
}

}  // namespace sextant
