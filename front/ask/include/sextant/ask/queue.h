// How long jobs wait, and how many servers are enough: from rates, from demands, from counts, or from
// recorded jobs. Lists are swept. Times are seconds, "600", or as in "10 min"; rates are per second, "0.2",
// or as in "12/h".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sextant/queueing/closed_network.h"
#include "sextant/queueing/diagnosis.h"
#include "sextant/queueing/open_queue.h"
#include "sextant/queueing/operational_laws.h"
#include "sextant/queueing/priority.h"
#include "sextant/queueing/sizing.h"

namespace sextant::ask {

struct QueueQuestion {
  std::string model = {};  // mm1, mmc, mmck, mg1, ggc, mva, laws; empty: records or classes decide
  // Open queues.
  std::vector<std::string> arrival_rates = {};
  std::vector<std::string> service_rates = {};  // of one server
  std::vector<std::string> service_times = {};  // instead of the rates
  std::vector<std::string> arrival_scvs = {};   // squared coefficients of variation; 1 if not said
  std::vector<std::string> service_scvs = {};
  std::vector<std::int64_t> servers = {};     // 1 if not said
  std::vector<std::int64_t> capacities = {};  // mmck: most jobs in the system
  std::optional<std::string> classes = {};    // CSV of priority classes, most urgent first
  // How many servers? The least number that meets all of these.
  std::optional<std::string> target_wait = {};
  std::optional<std::string> target_p95 = {};
  std::optional<std::string> target_response = {};
  std::optional<std::string> target_p95_response = {};
  std::int64_t max_servers = 10'000;
  // Closed networks.
  std::vector<std::string> demands = {};      // of a user at each queue
  std::vector<std::string> delays = {};       // at stations where nobody queues
  std::vector<std::int64_t> servers_at = {};  // each queue; 1 if not said
  std::optional<std::string> think = {};
  std::vector<std::int64_t> populations = {};
  bool seidmann = false;
  // Operational laws: what was measured.
  std::optional<double> completions = {};
  std::optional<double> visits = {};
  std::optional<std::string> period = {};
  std::optional<std::string> busy = {};
  std::optional<std::string> residence = {};
  // Recorded jobs.
  std::optional<std::string> records = {};  // CSV
  std::string arrival_column = "arrival_s";
  std::string interarrival_column = "interarrival_s";
  std::string service_column = "service_s";
  double level = 0.01;  // a test rejects at p up to this
  std::uint64_t seed = 0;
};

struct OpenQueues {
  std::vector<queueing::QueueResult> results;
};
// With targets: the least number of servers for each load.
struct SizedQueues {
  std::vector<queueing::Sizing> sizings;
};
struct ClosedQueues {
  queueing::ClosedNetwork network;
  std::vector<queueing::ClosedResult> results;
};
// From the demands alone.
struct ClosedBounds {
  queueing::ClosedNetwork network;
  std::vector<std::int64_t> populations;
  std::vector<queueing::NetworkBounds> bounds;  // for each of them
};
struct QueueLaws {
  std::vector<queueing::Derived> derived;
};
// Which model recorded jobs allow, and its answer beside their replay.
struct RecordedQueue {
  queueing::Diagnosis diagnosis;
  std::optional<queueing::Sizing> sizing;  // with targets
};

struct QueueAnswer {
  std::variant<OpenQueues, SizedQueues, queueing::PriorityResult, ClosedQueues, ClosedBounds, QueueLaws,
               RecordedQueue>
      result;
  bool feasible = true;                    // false: none keeps up, or none meets the targets
  std::vector<std::string> warnings = {};  // which do not, and what would
};

// Reads the files that the question names. InputError at a field that the model does not read, that is
// missing or contradicts another.
QueueAnswer queue(const QueueQuestion& question);

}  // namespace sextant::ask
