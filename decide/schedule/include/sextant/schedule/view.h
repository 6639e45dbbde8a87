// What a policy sees of a cluster: types with their free GPUs, and jobs with what they asked for, what they
// have had and how fast they run where. Nothing here knows whether the cluster is simulated.
// Times are seconds on the cluster's clock; work is in the unit of the trace (steps, or reference seconds).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace sextant::schedule {

using JobSlot = std::int32_t;  // index into ClusterView::jobs; kept while the job is active

struct TypeView {
  std::string_view name;
  std::int64_t gpus = 0;  // that are up
  std::int64_t free = 0;
  double price_usd_h = 0;  // of one GPU
};

struct JobView {
  std::int64_t id = 0;  // order of arrival, from 0; breaks every tie
  double arrival_s = 0;
  std::int32_t gpus = 1;
  std::int32_t user = -1;
  std::int32_t kind = -1;  // jobs of one kind run alike: for speeds of pairs
  double weight = 1;
  double priority = 0;
  double deadline_s = std::numeric_limits<double>::infinity();
  double cpus = 0;               // 0: not stated
  double memory_gib = 0;         // 0: not stated
  double work = 0;               // in all, as far as the policy is told
  double true_work = 0;          // 0: the same. For books about jobs that have ended, and for nothing else
  const double* rate = nullptr;  // work per second by type, GPUs on one node; 0: cannot run there

  // As of since_s, the last change of its state.
  double since_s = 0;
  double remaining = 0;       // work
  double executed_s = 0;      // on GPUs, start-up included
  std::int32_t type = -1;     // that it runs on; -1: it waits
  double speed = 0;           // work per second from productive_s on
  double productive_s = 0;    // when start-up is over
  double first_start_s = -1;  // -1: never started
  double stopped_s = -1;      // last left its GPUs before its end; -1: never

  [[nodiscard]] bool runs() const { return type >= 0; }
  [[nodiscard]] double remaining_at(double now_s) const {
    const double productive = now_s - (productive_s > since_s ? productive_s : since_s);
    return runs() && productive > 0 ? remaining - speed * productive : remaining;
  }
  [[nodiscard]] double executed_at(double now_s) const {
    return runs() ? executed_s + (now_s - since_s) : executed_s;
  }
};

struct ClusterView {
  double now_s = 0;
  std::span<const TypeView> types;
  std::span<const JobView> jobs;  // by slot; slots of jobs that have left hold anything
  // Since the last decision, each in order: what arrived, what ended, what lost its GPUs by a fault.
  std::span<const JobSlot> arrived;
  std::span<const JobSlot> ended;
  std::span<const JobSlot> lost;
};

// Work per second by type of two jobs on the same GPUs.
struct PairRates {
  const double* first = nullptr;
  const double* second = nullptr;
};

// Speeds of pairs, by the kinds of the two jobs.
class PairSpeeds {
 public:
  virtual ~PairSpeeds() = default;
  // Null pointers where nothing is known of them.
  [[nodiscard]] virtual PairRates together(std::int32_t first_kind, std::int32_t second_kind) const = 0;
};

// Fastest type on which the job can run; -1 where it can run nowhere.
std::int32_t fastest_type(const JobView& job, std::span<const TypeView> types);
// Seconds that the job would still need on its fastest type; infinite where it runs nowhere.
double best_remaining_s(const JobView& job, std::size_t types, double now_s);

}  // namespace sextant::schedule
