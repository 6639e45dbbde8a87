// What a planner sees at one instant: jobs that wait or run, nodes that may be rented, machine types with
// their prices, and what is wanted. Methods (method.h) turn it into a Decision. After Filippini et al.,
// ANDREAS (2021) and Path Relinking (TSC 2023): every node takes one machine type, whose GPUs jobs divide
// among them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::capacity {

inline constexpr std::int32_t kNone = -1;

struct MachineType {
  std::string name;
  std::string gpu;
  std::int32_t gpus = 1;
  Dollars hour_price{};        // of the whole machine
  Seconds minimum_billing{};   // the shortest time that is paid
  Watts idle{};                // of the machine without work
  Watts busy{};                // more for each GPU that works
  double losses_per_hour = 0;  // spot: how often the machine is taken back
};

// One way to run a job: so many GPUs of a machine type. More GPUs than the machine has: whole machines of
// that type, side by side.
struct JobOption {
  std::int32_t type = kNone;  // in Snapshot::types
  std::int32_t gpus = 1;
  Seconds time{};     // what remains, median
  double spread = 0;  // standard deviation of ln(time); 0: known exactly
};

// GPUs that a job has on one node.
struct Share {
  std::int32_t node = kNone;
  std::int32_t gpus = 0;
  bool operator==(const Share&) const = default;
};

struct JobState {
  std::string id;
  Seconds submit{};
  Seconds due{std::numeric_limits<double>::infinity()};
  DollarRate tardiness{};                // what each second after `due` costs
  double priority = 0;                   // larger first, for methods that look at it
  std::vector<JobOption> options = {};   // sorted by type, then GPUs; empty: fits nowhere
  Seconds restart{};                     // lost when a running job is stopped, moved or resized
  std::vector<std::int32_t> nodes = {};  // may run only there (affinity); empty: anywhere
  std::int32_t running = kNone;          // option that runs now, in `options`
  std::vector<Share> shares = {};        // where it runs now
  bool promised = false;                 // admitted: its due date must be kept
};

struct NodeState {
  std::int32_t type = kNone;  // switched on as this machine type; kNone: off
  std::int32_t only = kNone;  // can be nothing but this type (a machine that is owned)
  Seconds paid_until{};       // minimum billing: switched off before, it costs as much
  bool down = false;
};

enum class NodeCost {
  makespan,   // A: paid until its last job ends
  first_end,  // B: paid until its first job ends, which is the next event
  period      // C: paid for one period
};

struct Wishes {
  Seconds period{3600};     // H: the longest time between two decisions; infinite: only events
  double postponement = 2;  // rho: weight of the tardiness of jobs that wait
  NodeCost cost = NodeCost::first_end;
  double risk = 0.5;                 // a due date counts as kept when the chance to miss it is at most this
  std::optional<DollarRate> budget;  // of all nodes together
  std::optional<Watts> power;        // the same
  Dollars energy_price{};            // of a kilowatt hour; 0: part of the machine's price
  double carbon_kg_per_kwh = 0;
  Dollars carbon_price{};  // of a kilogram
  bool admission = false;  // refuse what cannot be kept
};

struct Snapshot {
  Seconds now{};
  std::vector<MachineType> types = {};
  std::vector<NodeState> nodes = {};
  std::vector<JobState> jobs = {};  // in the order of submission
  Wishes wishes = {};
};

}  // namespace sextant::capacity
