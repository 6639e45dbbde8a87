// Nodes that are lost in an online run: spot machines that are taken back, and faults of nodes as
// decide/simulate has them. A node that is taken back can be rented again at once; one that broke is down
// until it is mended.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sextant/capacity/online.h"
#include "sextant/core/rng.h"
#include "sextant/events/event.h"
#include "sextant/simulate/fault.h"

namespace sextant::capacity {

// In this order within an instant.
enum class OnlineEvent : std::uint8_t { end, loss, failure, repair };
using OnlineFollowUps = events::FollowUps<OnlineEvent>;

class NodeLosses {
 public:
  NodeLosses(const OnlineOptions& options, std::size_t nodes);

  [[nodiscard]] std::size_t size() const { return loss_ticket_.size() * (1 + processes_.size()); }
  [[nodiscard]] std::int64_t pending_repairs() const { return pending_repairs_; }
  [[nodiscard]] bool stale_loss(std::int32_t node, std::uint64_t ticket) const {
    return loss_ticket_[static_cast<std::size_t>(node)] != ticket;
  }

  // The node is another machine from now on, or none: when will it be taken back?
  void rented(std::int32_t node, const MachineType* type, events::Nanos now, OnlineFollowUps& next);

  // Faults: an outage is a pair of process and node, by one number.
  void schedule_all(double begin_s, OnlineFollowUps& next);
  [[nodiscard]] std::int32_t node_of(std::int32_t outage) const { return outage % nodes_; }
  bool break_down(std::int32_t outage, events::Nanos now, OnlineFollowUps& next);  // true: it was up
  bool mend(std::int32_t outage, events::Nanos now, OnlineFollowUps& next);        // true: it is up

 private:
  void schedule(std::int32_t outage, events::Nanos now, OnlineFollowUps& next);

  std::int32_t nodes_;
  double begin_s_ = 0;
  std::vector<Rng> draws_;                  // of spot machines, by node
  std::vector<std::uint64_t> loss_ticket_;  // by node
  std::vector<std::unique_ptr<simulate::FaultProcess>> processes_;
  std::vector<events::Nanos> until_;  // by outage
  std::vector<std::int32_t> down_;    // by node: outages that last
  std::int64_t pending_repairs_ = 0;
};

}  // namespace sextant::capacity
