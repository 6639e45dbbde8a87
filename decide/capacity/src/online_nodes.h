// The nodes of an online run and what they cost: rent from being switched on to being switched off, at least
// the minimum that is billed, and the energy of idle and busy GPUs.
#pragma once

#include <cstdint>
#include <vector>

#include "sextant/capacity/online.h"

namespace sextant::capacity {

class NodeAccounts {
 public:
  NodeAccounts(const OnlineOptions& options, Snapshot& snapshot, OnlineResult& result);

  // All that was on since the last call is paid until now.
  void pay(Seconds now);
  // As the decision says. Nodes whose machine changed, in order: their losses are drawn anew.
  std::vector<std::int32_t> switch_to(const Decision& decision, Seconds now);
  // Taken back or broken: nothing is owed for it any more.
  void lose(std::int32_t node, Seconds now);
  void set_used(std::int32_t node, std::int32_t gpus) { used_[static_cast<std::size_t>(node)] = gpus; }
  void close(Seconds now);  // at the end of the run

 private:
  void switch_off(std::size_t node, Seconds now, bool billed);

  const OnlineOptions& options_;
  Snapshot& snapshot_;
  OnlineResult& result_;
  Seconds paid_{};                  // until then
  std::vector<Seconds> on_since_;   // by node
  std::vector<std::int32_t> used_;  // GPUs at work, by node
  std::vector<Stay> stays_;         // of nodes, with a history
};

}  // namespace sextant::capacity
