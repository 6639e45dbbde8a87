// Nodes that go down and come back while a run goes on: the fault processes, which outage of each comes next
// on each node, and who is on a node when it fails.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cluster_state.h"
#include "engine_clock.h"
#include "sextant/simulate/fault.h"
#include "sextant/simulate/run.h"

namespace sextant::simulate {

// From their texts, each with its own stream of the seed. InputError.
std::vector<std::unique_ptr<FaultProcess>> make_faults(const std::vector<std::string>& texts,
                                                       std::int64_t nodes, std::uint64_t seed);

class Outages {
 public:
  Outages(std::vector<std::unique_ptr<FaultProcess>> processes, const RunClock& clock, std::int64_t nodes);

  [[nodiscard]] bool any() const { return !processes_.empty(); }
  [[nodiscard]] std::int64_t pending_repairs() const { return pending_repairs_; }
  [[nodiscard]] std::size_t size() const { return until_.size(); }
  // Mean time between failures of one node by all processes together; infinite: none.
  [[nodiscard]] Seconds node_mtbf() const { return node_mtbf_; }

  // An outage is a pair of process and node, by one number.
  void schedule_all(SimFollowUps& next);
  [[nodiscard]] std::int64_t node_of(std::int32_t outage) const { return outage % nodes_; }
  // True where the node goes down, or comes back, with it: several outages may overlap.
  bool begin(std::int32_t outage, Nanos now, SimFollowUps& next);
  bool end(std::int32_t outage, Nanos now, SimFollowUps& next);

  // Gangs by node, kept only where something can fail.
  void enter(std::int64_t node, schedule::JobSlot slot);
  void leave(std::int64_t node, schedule::JobSlot slot);
  [[nodiscard]] const std::vector<schedule::JobSlot>& on_node(std::int64_t node) const {
    return on_node_[static_cast<std::size_t>(node)];
  }

 private:
  void schedule(std::int32_t outage, Nanos now, SimFollowUps& next);

  RunClock clock_;
  std::int64_t nodes_;
  std::vector<std::unique_ptr<FaultProcess>> processes_;
  std::vector<Nanos> until_;        // by outage: end of the one that is scheduled or lasts
  std::vector<std::int32_t> down_;  // by node: outages that last
  std::vector<std::vector<schedule::JobSlot>> on_node_;
  std::int64_t pending_repairs_ = 0;
  Seconds node_mtbf_{};
};

}  // namespace sextant::simulate
