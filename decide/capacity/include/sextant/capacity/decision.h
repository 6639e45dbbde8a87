// What is to be done until the next event: which nodes are on, as what, and who runs on how many GPUs of
// which.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/capacity/snapshot.h"

namespace sextant::capacity {

struct Assignment {
  std::int32_t job = kNone;     // in Snapshot::jobs
  std::int32_t option = kNone;  // in its options
  std::vector<Share> shares = {};
};

struct Decision {
  std::vector<std::int32_t> nodes = {};    // machine type of each node; kNone: off
  std::vector<Assignment> run = {};        // all others wait
  std::vector<std::int32_t> refused = {};  // jobs that admission turns away, for ever
  std::optional<double> bound = {};  // USD: no plan of this snapshot costs less; only methods that prove it
  Seconds wake{std::numeric_limits<double>::infinity()};  // ask again then, if nothing happens before
};

// What a decision costs by the model of the snapshot (wishes.cost), in parts.
struct DecisionCost {
  Dollars nodes{};
  Dollars tardiness{};     // of jobs that run
  Dollars postponement{};  // of jobs that wait, times rho
  [[nodiscard]] Dollars total() const { return nodes + tardiness + postponement; }
};
DecisionCost cost_of(const Snapshot& snapshot, const Decision& decision);

// No decision costs less. With nodes that are paid until their last job ends, or for a period, it knows that
// few jobs share a node and how many nodes there are; else it is what each job costs at its cheapest in full
// machines, or by waiting.
Dollars bound_of(const Snapshot& snapshot);

// Empty if the decision can be carried out; else the first thing wrong with it, as a sentence.
std::string fault_of(const Snapshot& snapshot, const Decision& decision);

}  // namespace sextant::capacity
