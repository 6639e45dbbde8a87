// The jobs of a trace with their speeds on the types of one cluster: what a run is made from. Jobs that are
// alike in model, GPUs and allowed types share a class. One JobSet serves many runs at once, unchanged.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sextant/clusters/cluster.h"
#include "sextant/core/units.h"
#include "sextant/jobs/throughputs.h"
#include "sextant/jobs/trace.h"

namespace sextant::simulate {

struct SimJob {
  Seconds arrival{};
  double work = 0;
  double planned = 0;  // work that policies are told of, at least `work`; 0: `work`
  Seconds deadline{};  // infinite: none
  double weight = 1;
  double priority = 0;
  double cpus = 0;
  double memory_gib = 0;
  std::int32_t gpus = 1;
  std::int32_t user = -1;
  std::int32_t cls = 0;     // in JobSet::classes
  std::int32_t source = 0;  // in Trace::jobs
};

struct JobClass {
  std::int32_t gpus = 1;
  std::vector<double> rate = {};          // work per second by type, on one node; 0: cannot run there
  std::vector<double> across_nodes = {};  // factor by type
  std::vector<double> across_racks = {};
};

struct PairOfClasses {
  std::vector<double> first_rate = {};  // by type; 0: they cannot run together there
  std::vector<double> second_rate = {};
};

// Why a job can never run.
enum class RefusalKind {
  type,    // it may use only types of GPU that the cluster does not have
  gpus,    // no pool that it may use has so many GPUs
  memory,  // it does not fit the memory of any GPU that it may use
  speed    // nobody knows how fast it would run
};

struct Refusal {
  RefusalKind kind = RefusalKind::speed;
  std::string reason;  // "asks for 64 GPUs; the largest pool has 36"
};

struct RefusedJob {
  std::int32_t source = 0;  // in Trace::jobs
  RefusalKind kind = RefusalKind::speed;
  std::string reason = {};
};

struct JobSet {
  std::vector<SimJob> jobs = {};  // by arrival; those that can run
  std::vector<JobClass> classes = {};
  std::unordered_map<std::uint64_t, PairOfClasses> pairs = {};  // key: pair_key(a, b)
  std::vector<RefusedJob> refused = {};                         // those that can never run here

  static std::uint64_t pair_key(std::int32_t a, std::int32_t b) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32) | static_cast<std::uint32_t>(b);
  }
  // Both on the same GPUs; null where nothing is known of the pair.
  [[nodiscard]] const PairOfClasses* together(std::int32_t a, std::int32_t b) const {
    const auto it = pairs.find(pair_key(a, b));
    return it == pairs.end() ? nullptr : &it->second;
  }
};

// Speeds of models on types, from wherever: a table, a prediction. Implementations throw InputError for a
// model that they do not know.
class SpeedSource {
 public:
  virtual ~SpeedSource() = default;
  // Work per second by type of the cluster; fills a class whose `gpus` is set. Why it runs nowhere, if so.
  virtual std::optional<Refusal> fill(const std::string& model, JobClass& into) const = 0;
  // Whether a job that names no model is an error; else it has the speeds of the pools.
  [[nodiscard]] virtual bool needs_model() const { return true; }
  // Pair of models with equal gpus; false where nothing is known.
  virtual bool fill_pair(const std::string& first, const std::string& second, std::int32_t gpus,
                         PairOfClasses& into) const = 0;
};

struct JobSetOptions {
  double load = 1;                      // factor on the rate of arrivals
  const SpeedSource* speeds = nullptr;  // none: durations, and the pools' speed
  bool pairs = false;                   // also of classes that share GPUs
  bool estimates = false;               // jobs run for the time that the trace states, instead of their own
  // Policies are told the time that the trace states instead of the one that jobs run for; jobs that state
  // none count as the longest that is stated.
  bool plan_by_limits = false;
};

JobSet make_job_set(const jobs::Trace& trace, const clusters::Cluster& cluster, const JobSetOptions& options);

// A throughput table for the types of a cluster. InputError for a type that the table does not have.
std::unique_ptr<SpeedSource> speeds_from_table(const jobs::ThroughputTable& table,
                                               const clusters::Cluster& cluster);

}  // namespace sextant::simulate
