#include "sextant/calibrate/layer_records.h"

#include <map>

namespace sextant::calibrate {

std::vector<predict::LayerRecord> layer_records(const TimedGraph& timed,
                                                std::span<const measure::OperatorTiming> timings) {
  std::map<std::size_t, const measure::OperatorTiming*> by_node;
  for (const measure::OperatorTiming& timing : timings)
    by_node[static_cast<std::size_t>(timing.node)] = &timing;
  std::vector<predict::LayerRecord> records;
  for (const predict::LayerCount& layer : predict::layer_counts(timed.graph, cost(timed.graph), timed.job)) {
    if (!layer.node) continue;
    const auto it = by_node.find(*layer.node);
    if (it == by_node.end()) continue;
    const bool forward = layer.direction == predict::Direction::forward;
    const double seconds = forward ? it->second->forward_s : it->second->backward_s;
    if (seconds <= 0) continue;
    records.push_back({timed.gpu, layer.type, layer.direction, layer.count, Seconds{seconds}});
  }
  return records;
}

}  // namespace sextant::calibrate
