// What the daemon knows: machine types, nodes, jobs, and the steps of decisions that are not yet carried out.
// Plain values; whoever changes them writes the same to the store (store.h). Times are seconds since 1970,
// UTC.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "sextant/capacity/snapshot.h"
#include "sextant/core/units.h"

namespace sextant::daemon {

enum class Phase { waiting, starting, running, stopping, finished, failed, cancelled, refused };
std::string phase_text(Phase phase);
Phase phase_of(const std::string& text);  // InputError
bool is_over(Phase phase);
bool holds_gpus(Phase phase);
std::vector<std::string> phase_texts();

struct MachineTime {
  std::string machine;
  std::int32_t gpus = 1;
  Seconds time{};     // of the whole job
  double spread = 0;  // standard deviation of ln(time)
};

struct NodeShare {
  std::string node;
  std::int32_t gpus = 0;
  bool operator==(const NodeShare&) const = default;
};

// What a client said of a job; never changes.
struct JobOrder {
  std::string id;
  Seconds due{std::numeric_limits<double>::infinity()};
  DollarRate tardiness{};
  double priority = 0;
  Seconds restart{};
  std::vector<std::string> nodes = {};  // may run only there; empty: anywhere
  std::vector<MachineTime> times = {};
  std::vector<std::string> command = {};  // what runs, for those who start it
  std::map<std::string, std::string> environment = {};
  std::string folder = {};  // where it runs
};

// Where a job runs.
struct Stretch {
  std::string machine;
  std::int32_t gpus = 0;
  std::vector<NodeShare> shares = {};
  Seconds since{};             // when it was started there
  std::string key = {};        // of the step that started it
  std::string reference = {};  // what who carried it out calls it: the number of a Slurm job
};

struct DaemonJob {
  std::int64_t seq = 0;
  JobOrder order = {};
  Seconds submitted{};
  Phase phase = Phase::waiting;
  std::string reason = {};  // why it is where it is
  std::optional<Stretch> stretch = {};
  Phase after_stop = Phase::waiting;  // what it becomes once it is stopped
  double done = 0;                    // share of its work, when last known
  Seconds done_at{};                  // then
  double slowness = 1;                // how much longer than its times it takes
  bool promised = false;              // admitted: its due date must be kept
  std::int32_t starts = 0;
  std::int32_t failures = 0;  // to start, one after another
  Seconds ended{};
};

struct DaemonNode {
  std::string name;
  std::string only = {};  // machine type that it is, where it can be no other
  bool down = false;
  std::string machine = {};  // switched on as this; empty: off
  Seconds on_since{};
  Seconds paid_until{};
};

enum class StepKind { stop, node_off, node_on, start };
std::string step_text(StepKind kind);
StepKind step_kind_of(const std::string& text);

// One thing to be done in the cluster. Recorded before it is done, and again after.
struct Step {
  std::int64_t seq = 0;
  std::int64_t decision = 0;
  StepKind kind = StepKind::start;
  std::string key = {};      // unique over all states
  std::string job = {};      // start, stop
  std::string node = {};     // node_on, node_off
  std::string machine = {};  // start, node_on
  std::int32_t gpus = 0;     // start
  std::vector<NodeShare> shares = {};
  std::string reason = {};
};

struct Books {
  std::string name;  // of this state, in keys of steps
  std::map<std::string, capacity::MachineType> machines = {};
  std::vector<DaemonNode> nodes = {};
  std::vector<DaemonJob> jobs = {};  // in the order of submission; seq is the place + 1
  std::unordered_map<std::string, std::size_t> by_id = {};
  std::set<std::size_t> live = {};  // places of jobs that are not over
  std::vector<Step> steps = {};     // intended and not confirmed, in order
  std::int64_t decisions = 0;
  std::int64_t next_step = 1;
  Dollars spent{};        // on nodes that were switched off
  Seconds pause_until{};  // no decisions before, since a step failed; not kept

  [[nodiscard]] DaemonJob* find(const std::string& id);
  [[nodiscard]] const DaemonJob* find(const std::string& id) const;
  [[nodiscard]] DaemonNode* find_node(const std::string& name);
  DaemonJob& add(DaemonJob job);
  // Nodes that run until now included.
  [[nodiscard]] Dollars spent_until(Seconds now) const;
};

// The share of its work that a job has done by now, as far as one can tell without a report.
double done_by(const DaemonJob& job, Seconds now);
// The whole time of the job where it runs.
std::optional<Seconds> whole_time(const DaemonJob& job);
Dollars node_cost(const DaemonNode& node, const capacity::MachineType& machine, Seconds until);

}  // namespace sextant::daemon
