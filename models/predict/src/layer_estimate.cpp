#include <algorithm>

#include "layer_model.h"
#include "op_roofline.h"

namespace sextant::predict {
namespace {

class Sum {
 public:
  Sum(const LayerDevice& device, const Query& query) : device_(device), query_(query) {}

  void add(const LayerCount& layer) {
    const auto it = device_.lines.find({layer.type, layer.direction});
    if (it == device_.lines.end()) {
      stand_in(layer);
      return;
    }
    const LayerLine& line = it->second;
    const bool load = layer.type == "data-load";
    (load ? estimate.input : estimate.slope) += Seconds{line.beta1 * layer.count};
    (load ? estimate.input : estimate.fixed) += Seconds{line.beta0};
    estimate.variance += line.variance_at(layer.count);
    estimate.outside |= layer.count > line.largest;
  }

  void stand_in_for_node(std::size_t node, Direction direction) {
    const Seconds bound =
        direction == Direction::forward ? forward_roofline(query_, node) : backward_roofline(query_, node);
    if (bound == Seconds{}) return;
    estimate.slope += bound;
    name(type_name(query_.graph.nodes[node].op));
  }

  LayerEstimate estimate;

 private:
  // The roofline knows neither loss nor data load, whose bytes are few.
  void stand_in(const LayerCount& layer) {
    if (layer.node) {
      stand_in_for_node(*layer.node, layer.direction);
    } else {
      if (layer.type == "optimizer") estimate.slope += optimizer_roofline(query_);
      name(layer.type);
    }
  }

  void name(const std::string& type) {
    if (std::ranges::find(estimate.stood_in, type) == estimate.stood_in.end()) {
      estimate.stood_in.push_back(type);
    }
  }

  const LayerDevice& device_;
  const Query& query_;
};

}  // namespace

LayerEstimate estimate_layers(const LayerDevice& device, const Query& q) {
  Sum sum(device, q);
  std::vector<bool> counted(q.graph.nodes.size());
  for (const auto& layer : layer_counts(q.graph, q.cost, q.job)) {
    sum.add(layer);
    if (layer.node) counted[*layer.node] = true;
  }
  for (std::size_t node = 0; node < counted.size(); ++node) {
    if (counted[node]) continue;
    sum.stand_in_for_node(node, Direction::forward);
    if (q.job.mode == jobs::Mode::train) sum.stand_in_for_node(node, Direction::backward);
  }
  return sum.estimate;
}

}  // namespace sextant::predict
