// GPUs of a cluster while a run goes on: which are free, held or down, node by node, and the GPU-seconds that
// nobody used.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine_clock.h"
#include "sextant/clusters/cluster.h"
#include "sextant/schedule/view.h"
#include "sextant/simulate/node_index.h"

namespace sextant::simulate {

// Where a gang is. Most are on one node, which needs no memory of its own.
struct GangPlace {
  NodeShare first = {};
  std::vector<NodeShare> others = {};
  bool one_rack = true;

  [[nodiscard]] std::int32_t nodes() const { return 1 + static_cast<std::int32_t>(others.size()); }
};

struct PlacedNode {
  std::int32_t type = 0;
  std::int32_t node = 0;  // of the type
};

class ClusterState {
 public:
  ClusterState(const clusters::Cluster& cluster, std::unique_ptr<PlacementRule> rule,
               std::int32_t usual_request);

  [[nodiscard]] std::span<const schedule::TypeView> types() const { return views_; }
  [[nodiscard]] std::int64_t nodes() const { return first_node_.back(); }
  [[nodiscard]] PlacedNode node(std::int64_t number) const;  // all types together, in their order
  [[nodiscard]] std::int64_t number(const PlacedNode& node) const;
  [[nodiscard]] std::int64_t used() const { return used_; }
  [[nodiscard]] std::int64_t down() const { return down_; }
  [[nodiscard]] std::int64_t free() const { return free_; }
  [[nodiscard]] std::int64_t fragmented() const;

  void place(std::int32_t type, std::int32_t gpus, Nanos now, GangPlace& into);
  void release(std::int32_t type, const GangPlace& place, Nanos now);
  void take_down(const PlacedNode& node, Nanos now);  // nobody holds it any more
  void bring_up(const PlacedNode& node, Nanos now);

  // GPU-seconds to `now`.
  [[nodiscard]] double idle_gpu_s(std::int32_t type, Nanos now);
  [[nodiscard]] double down_gpu_s(std::int32_t type, Nanos now);

 private:
  struct Integrals {
    Nanos since = 0;
    double idle = 0;  // GPU-seconds
    double down = 0;
  };
  void change(std::int32_t type, Nanos now, std::int64_t free, std::int64_t down);

  std::vector<schedule::TypeView> views_;
  std::vector<NodeIndex> index_;
  std::vector<std::int64_t> gpus_;
  std::vector<Integrals> integrals_;
  std::vector<std::int64_t> first_node_;  // by type, and the number of all
  std::unique_ptr<PlacementRule> rule_;
  std::vector<NodeShare> chosen_;
  std::int64_t used_ = 0;
  std::int64_t free_ = 0;
  std::int64_t down_ = 0;
};

}  // namespace sextant::simulate
