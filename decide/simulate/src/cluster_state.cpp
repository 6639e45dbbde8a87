#include "cluster_state.h"

#include <algorithm>

#include "engine_clock.h"

namespace sextant::simulate {

ClusterState::ClusterState(const clusters::Cluster& cluster, std::unique_ptr<PlacementRule> rule,
                           std::int32_t usual_request)
    : integrals_(cluster.pools.size()), rule_(std::move(rule)) {
  first_node_.push_back(0);
  for (const clusters::Pool& pool : cluster.pools) {
    views_.push_back(
        {.name = pool.type, .gpus = pool.gpus, .free = pool.gpus, .price_usd_h = pool.hour_price.value});
    index_.emplace_back(NodeLayout{.gpus = pool.gpus,
                                   .per_node = pool.per_node,
                                   .nodes_per_rack = pool.nodes_per_rack,
                                   .usual = usual_request});
    gpus_.push_back(pool.gpus);
    first_node_.push_back(first_node_.back() + index_.back().nodes());
    free_ += pool.gpus;
  }
}

PlacedNode ClusterState::node(std::int64_t number) const {
  const auto after = std::ranges::upper_bound(first_node_, number);
  const auto type = after - first_node_.begin() - 1;
  return {.type = static_cast<std::int32_t>(type),
          .node = static_cast<std::int32_t>(number - first_node_[static_cast<std::size_t>(type)])};
}

std::int64_t ClusterState::number(const PlacedNode& node) const {
  return first_node_[static_cast<std::size_t>(node.type)] + node.node;
}

std::int64_t ClusterState::fragmented() const {
  std::int64_t sum = 0;
  for (const NodeIndex& index : index_) sum += index.fragmented();
  return sum;
}

// `free` and `down` GPUs more; what is neither is held.
void ClusterState::change(std::int32_t type, Nanos now, std::int64_t free, std::int64_t down) {
  const auto t = static_cast<std::size_t>(type);
  Integrals& sum = integrals_[t];
  schedule::TypeView& view = views_[t];
  const double elapsed = seconds_of(now - sum.since);
  sum.idle += static_cast<double>(view.free) * elapsed;
  sum.down += static_cast<double>(gpus_[t] - view.gpus) * elapsed;
  sum.since = now;
  view.free += free;
  view.gpus -= down;
  free_ += free;
  down_ += down;
  used_ -= free + down;
}

void ClusterState::place(std::int32_t type, std::int32_t gpus, Nanos now, GangPlace& into) {
  NodeIndex& index = index_[static_cast<std::size_t>(type)];
  chosen_.clear();
  rule_->choose(index, gpus, chosen_);
  for (const NodeShare& share : chosen_) index.take(share);
  into.first = chosen_.front();
  into.others.assign(chosen_.begin() + 1, chosen_.end());
  const std::int32_t rack = index.rack_of(into.first.node);
  into.one_rack = std::ranges::all_of(
      into.others, [&](const NodeShare& share) { return index.rack_of(share.node) == rack; });
  change(type, now, -gpus, 0);
}

void ClusterState::release(std::int32_t type, const GangPlace& place, Nanos now) {
  NodeIndex& index = index_[static_cast<std::size_t>(type)];
  std::int64_t gpus = place.first.gpus;
  index.give(place.first);
  for (const NodeShare& share : place.others) {
    index.give(share);
    gpus += share.gpus;
  }
  change(type, now, gpus, 0);
}

void ClusterState::take_down(const PlacedNode& node, Nanos now) {
  NodeIndex& index = index_[static_cast<std::size_t>(node.type)];
  const std::int32_t gpus = index.capacity(node.node);
  index.take_down(node.node);
  change(node.type, now, -gpus, gpus);
}

void ClusterState::bring_up(const PlacedNode& node, Nanos now) {
  NodeIndex& index = index_[static_cast<std::size_t>(node.type)];
  const std::int32_t gpus = index.capacity(node.node);
  index.bring_up(node.node);
  change(node.type, now, gpus, -gpus);
}

double ClusterState::idle_gpu_s(std::int32_t type, Nanos now) {
  change(type, now, 0, 0);
  return integrals_[static_cast<std::size_t>(type)].idle;
}

double ClusterState::down_gpu_s(std::int32_t type, Nanos now) {
  change(type, now, 0, 0);
  return integrals_[static_cast<std::size_t>(type)].down;
}

}  // namespace sextant::simulate
