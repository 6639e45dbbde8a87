#include "sextant/study/layer_records.h"

#include <map>

namespace sextant {

std::vector<LayerRecord> layer_records(const TimedGraph& timed, std::span<const OperatorTiming> timings) {
  std::map<std::size_t, const OperatorTiming*> by_node;
  for (const OperatorTiming& timing : timings) by_node[static_cast<std::size_t>(timing.node)] = &timing;
  std::vector<LayerRecord> records;
  for (const LayerCount& layer : layer_counts(timed.graph, cost(timed.graph), timed.job)) {
    if (!layer.node) continue;
    const auto it = by_node.find(*layer.node);
    if (it == by_node.end()) continue;
    const bool forward = layer.direction == Direction::forward;
    const double seconds = forward ? it->second->forward_s : it->second->backward_s;
    if (seconds <= 0) continue;
    records.push_back({timed.gpu, layer.type, layer.direction, layer.count, Seconds{seconds}});
  }
  return records;
}

}  // namespace sextant
