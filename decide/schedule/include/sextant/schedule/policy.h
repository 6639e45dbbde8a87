// Scheduling policies, one file each in decide/schedule/policies. There are two kinds. A QueuePolicy says at
// every change which jobs to start, on which type, and which to stop. A SharePolicy (Gavel's family) says
// which fraction of time each job, or pair of jobs, spends on each type; rounds turn shares into starts and
// stops.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/schedule/view.h"

namespace sextant::schedule {

struct Start {
  JobSlot job = -1;
  std::int32_t type = -1;
  JobSlot beside =
      -1;  // shares the GPUs of this job, which runs or is started by an earlier entry; -1: alone
};

struct Decision {
  std::vector<JobSlot> stop = {};  // carried out before the starts
  std::vector<Start> start = {};
  double wake_s = std::numeric_limits<double>::infinity();  // asks again then, if nothing happens before

  void clear() {
    stop.clear();
    start.clear();
    wake_s = std::numeric_limits<double>::infinity();
  }
};

class QueuePolicy {
 public:
  virtual ~QueuePolicy() = default;
  // Called once after all changes of an instant. `out` comes empty. What is started must fit: the GPUs of a
  // type that are free, and those of what is stopped, suffice.
  virtual void decide(const ClusterView& view, Decision& out) = 0;
};

struct ShareJob {
  JobSlot slot = -1;
  std::int64_t id = 0;
  std::int32_t gpus = 1;
  double weight = 1;
  double arrival_s = 0;
  double remaining = 0;  // work
  double work = 0;       // in all
  double deadline_s = std::numeric_limits<double>::infinity();
  const double* rate = nullptr;  // by type
};

struct SharePair {
  std::size_t first = 0;  // in ShareProblem::jobs, first < second, equal gpus
  std::size_t second = 0;
  const double* first_rate = nullptr;  // by type
  const double* second_rate = nullptr;
};

struct ShareProblem {
  double now_s = 0;
  std::vector<std::string_view> types = {};
  std::vector<double> gpus = {};         // of each type
  std::vector<double> price_usd_h = {};  // of one GPU of each type; 0: not known
  std::vector<ShareJob> jobs = {};       // by id, ascending
  std::vector<SharePair> pairs = {};     // only for policies that pack
};

// Fraction of time on each type: a row per job, then a row per pair.
struct Shares {
  std::size_t types = 0;
  std::vector<double> values = {};
  // Of each row, the part of its shares that the policy's goal asks for; the rest only keeps GPUs busy.
  // Empty: all of it. Gangs that do not fit beside each other cannot have all their shares, and rounds then
  // divide time by these parts.
  std::vector<double> owed = {};

  void reset(std::size_t rows, std::size_t type_count) {
    types = type_count;
    values.assign(rows * type_count, 0.0);
    owed.clear();
  }
  [[nodiscard]] std::size_t rows() const { return types == 0 ? 0 : values.size() / types; }
  double& at(std::size_t row, std::size_t type) { return values[row * types + type]; }
  [[nodiscard]] double at(std::size_t row, std::size_t type) const { return values[row * types + type]; }
};

class SharePolicy {
 public:
  virtual ~SharePolicy() = default;
  // `out` is resized by the policy.
  virtual void allocate(const ShareProblem& problem, Shares& out) = 0;
};

// Values of a policy's parameters, in the order in which it declares them, and the seed of its draws.
struct PolicySetup {
  Parameters parameters = {};
  std::uint64_t seed = 0;
};

struct PolicyInfo : PluginInfo {
  static constexpr PluginKind kKind = {"policy", "policies", "ways to schedule the jobs of a cluster",
                                       "policy"};

  std::vector<std::string> aliases = {};  // Gavel's names among them
  // At least one; a policy that has both is a queue policy where starts and stops can be had at any time.
  std::unique_ptr<QueuePolicy> (*queue)(const PolicySetup&) = nullptr;
  std::unique_ptr<SharePolicy> (*share)(const PolicySetup&) = nullptr;
  // Whether it looks at how long jobs run; nothing: it never does.
  bool (*sees_run_times)(const Parameters&) = nullptr;
  std::string gavel = {};  // name in Gavel; empty: not one of its policies. Only with `share`
  bool packs = false;      // wants pairs
  bool aware = true;       // of types: rounds fill the fastest type first; otherwise types in random order
  bool takes_idle = true;  // rounds also take jobs without a share where GPUs are left; Gavel's FIFO does not
};

// For PolicyInfo::sees_run_times.
inline bool always_sees(const Parameters&) {
  return true;
}

// All files of decide/schedule/policies, sorted by id.
const Registry<PolicyInfo>& policies();

// A policy and its parameters, as people write it: "las:quantum=120".
struct PolicyChoice {
  const PolicyInfo* policy = nullptr;
  Parameters parameters = {};
  std::string text = {};  // as it was written: results carry the name that was asked for
};
PolicyChoice parse_policy(std::string_view text, const SourcePos& at = {});
// Gavel's names first: its "fifo" and "finish_time_fairness" are not what these names mean here.
PolicyChoice parse_gavel_policy(std::string_view text, const SourcePos& at = {});
// Whether it goes by the run times of jobs, which nobody knows beforehand.
bool sees_run_times(const PolicyChoice& choice);
// As it was written; else what differs from the defaults: "las:quantum=120"
std::string to_string(const PolicyChoice& choice);

}  // namespace sextant::schedule
