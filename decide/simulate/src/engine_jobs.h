// Jobs that have arrived and not ended, in slots that are used again: what policies see of them, and what
// only the run knows. Progress is linear between changes of a job's state, and is brought up to date at them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster_state.h"
#include "engine_clock.h"
#include "sextant/simulate/run.h"

namespace sextant::simulate {

// How a gang writes checkpoints: `share` of the time after start-up is compute, and one is complete at the
// end of every `period`. Endless: never; 0: always.
struct CheckpointPace {
  double share = 1;
  Nanos period = kEndless;
};

// Beside the JobView of the same slot.
struct ActiveJob {
  bool present = false;           // it arrived and did not end
  schedule::JobSlot beside = -1;  // shares its GPUs; -1: nobody
  std::int32_t cls = 0;
  double surplus = 0;  // of JobView::remaining: work that the policy expects and the job does not have
  std::uint64_t completion = 0;  // ticket of the event that ends it; 0: none
  Nanos since = 0;               // as JobView::since_s
  Nanos productive = 0;          // as JobView::productive_s
  Nanos started = 0;             // of this stay on GPUs
  Nanos saved = 0;               // last checkpoint, or end of start-up
  double saved_remaining = 0;    // work, then
  double unsaved_s = 0;          // compute that a crash would undo
  double unsaved_gpu_s = 0;
  CheckpointPace pace = {};
  GangPlace place = {};
};

class ActiveJobs {
 public:
  ActiveJobs(const JobSet& jobs, const RunClock& clock, RunResult& result)
      : jobs_(jobs), clock_(clock), result_(result) {}

  [[nodiscard]] std::span<const schedule::JobView> views() const { return views_; }
  [[nodiscard]] std::int32_t slots() const { return static_cast<std::int32_t>(views_.size()); }
  [[nodiscard]] schedule::JobView& view(schedule::JobSlot slot) {
    return views_[static_cast<std::size_t>(slot)];
  }
  [[nodiscard]] const schedule::JobView& view(schedule::JobSlot slot) const {
    return views_[static_cast<std::size_t>(slot)];
  }
  [[nodiscard]] ActiveJob& state(schedule::JobSlot slot) { return states_[static_cast<std::size_t>(slot)]; }
  [[nodiscard]] const ActiveJob& state(schedule::JobSlot slot) const {
    return states_[static_cast<std::size_t>(slot)];
  }
  [[nodiscard]] JobOutcome& outcome(schedule::JobSlot slot) {
    return result_.jobs[static_cast<std::size_t>(view(slot).id)];
  }

  schedule::JobSlot add(std::int64_t job, Nanos now);
  // Its slot may be given to another from then on; it is not present any more.
  void reuse(schedule::JobSlot slot) { unused_.push_back(slot); }
  // Work, executed time and GPU-seconds to `now`.
  void advance(schedule::JobSlot slot, Nanos now);
  // To the last checkpoint. After advance().
  void roll_back(schedule::JobSlot slot);
  // A preemption keeps what was done, and so does a start: from here on, a crash loses what comes after.
  void save(schedule::JobSlot slot, Nanos now);

 private:
  void save_checkpoints(schedule::JobSlot slot, Nanos now, double before);

  const JobSet& jobs_;
  RunClock clock_;
  RunResult& result_;
  std::vector<schedule::JobView> views_;
  std::vector<ActiveJob> states_;
  std::vector<schedule::JobSlot> unused_;
};

}  // namespace sextant::simulate
