// When running jobs are expected to end, sorted by type: what reservations are made from. An estimate is the
// time that the rest of the work takes at the job's speed, times a factor, since people overestimate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sextant/schedule/policy.h"

namespace sextant::schedule {

// Two times this close are one: the clock counts in nanoseconds, estimates do not.
inline constexpr double kSameInstant = 1e-6;  // s

struct ExpectedEnd {
  double end_s = 0;
  JobSlot slot = -1;
  std::int32_t gpus = 0;
  auto operator<=>(const ExpectedEnd&) const = default;
};

class RunningEnds {
 public:
  explicit RunningEnds(double overestimate) : factor_(overestimate) {}

  // What ended or was lost leaves; what was started at the last decision gets the end that its speed gives.
  void update(const ClusterView& view);
  void start(JobSlot slot, std::int32_t type, const ClusterView& view);

  [[nodiscard]] bool runs(JobSlot slot) const { return places_[static_cast<std::size_t>(slot)].type >= 0; }
  [[nodiscard]] std::span<const ExpectedEnd> ends(std::size_t type) const { return ends_[type]; }
  // Seconds that a waiting job needs on a type; infinite where it cannot run.
  [[nodiscard]] double estimate_s(const JobView& job, std::size_t type) const;

 private:
  struct Place {
    std::int32_t type = -1;  // -1: not running
    ExpectedEnd end = {};
  };
  [[nodiscard]] double end_s(const JobView& job) const;
  void insert(const ExpectedEnd& end, std::int32_t type);
  void remove(JobSlot slot);

  double factor_;
  std::vector<JobSlot> fresh_;                  // started at the last decision
  std::vector<Place> places_;                   // by slot
  std::vector<std::vector<ExpectedEnd>> ends_;  // by type
};

inline const JobView& job_at(const ClusterView& view, JobSlot slot) {
  return view.jobs[static_cast<std::size_t>(slot)];
}
// The type on which the job runs fastest among those with enough of `free`; -1: none.
std::int32_t fastest_with_room(const JobView& job, std::span<const std::int64_t> free);
// Free GPUs of each type, into `free`.
void copy_free(const ClusterView& view, std::vector<std::int64_t>& free);

}  // namespace sextant::schedule
