// Who waits and who runs, kept up from the changes that a view reports: for queue policies that are more than
// an order. Running jobs stand by the time at which they are expected to end, so that reservations need not
// sort.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sextant/schedule/policy.h"

namespace sextant {

// Two times this close are one: the clock counts in nanoseconds, estimates do not.
inline constexpr double kSameInstant = 1e-6;  // s

struct ExpectedEnd {
  double end_s = 0;
  JobSlot slot = -1;
  std::int32_t gpus = 0;
  auto operator<=>(const ExpectedEnd&) const = default;
};

class Backlog {
 public:
  // Ended first, then lost, then arrived: a slot may be used again at once.
  void update(const ClusterView& view);
  // The job leaves the queue at settle(); its expected end counts from now on.
  void start(JobSlot slot, std::int32_t type, const ClusterView& view);
  void settle();

  [[nodiscard]] const std::vector<JobSlot>& waiting() const { return waiting_; }  // by id
  [[nodiscard]] std::span<const ExpectedEnd> ends(std::size_t type) const { return ends_[type]; }

 private:
  struct Place {
    std::int32_t type = -1;  // -1: not running
    ExpectedEnd end = {};
  };
  void insert(const ExpectedEnd& end, std::int32_t type);
  void remove(JobSlot slot);

  std::vector<JobSlot> waiting_;
  std::vector<JobSlot> fresh_;                  // started at the last decision, before their speed was known
  std::vector<Place> places_;                   // by slot
  std::vector<std::vector<ExpectedEnd>> ends_;  // by type
};

// Seconds that a waiting job needs on a type; infinite where it cannot run.
double estimate_s(const JobView& job, std::size_t type);
// The type on which it runs fastest among those with enough of `free`; -1: none.
std::int32_t fastest_with_room(const JobView& job, std::span<const std::int64_t> free);
// Free GPUs of each type, into `free`.
void copy_free(const ClusterView& view, std::vector<std::int64_t>& free);

inline const JobView& job_at(const ClusterView& view, JobSlot slot) {
  return view.jobs[static_cast<std::size_t>(slot)];
}

}  // namespace sextant
