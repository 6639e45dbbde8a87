// The jobs of an online run that are there: what the method sees of each (JobState), and what is true of it.
// A job's progress is a share of its work; how long the work takes is stated with an error, which shows with
// the first progress, since iterations can be counted.
#pragma once

#include <cstdint>
#include <vector>

#include "sextant/capacity/online.h"
#include "sextant/core/rng.h"
#include "sextant/events/time.h"

namespace sextant::capacity {

struct LiveJob {
  std::int32_t index = kNone;    // in Workload::jobs
  double done = 0;               // of its work
  double draw = 0;               // z of its error
  double owed = 0;               // s of restart, before it goes on
  events::Nanos since = 0;       // what is above holds for this time
  std::uint64_t end_ticket = 0;  // of its end; 0: it does not run
};

class LiveJobs {
 public:
  LiveJobs(const Workload& workload, const OnlineOptions& options, Snapshot& snapshot);

  [[nodiscard]] std::size_t size() const { return live_.size(); }
  [[nodiscard]] LiveJob& live(std::size_t slot) { return live_[slot]; }
  [[nodiscard]] JobState& state(std::size_t slot) { return snapshot_.jobs[slot]; }
  [[nodiscard]] std::size_t slot_of(std::int32_t index) const;  // of one that is there
  // Whether this event is the end of the job as it runs now.
  [[nodiscard]] bool ends_with(std::int32_t index, std::uint64_t ticket) const;

  void add(std::int32_t index, events::Nanos now);
  void remove(std::size_t slot);
  // Its progress until now; the times of its options follow.
  void advance(std::size_t slot, events::Nanos now);
  // Seconds until it ends if it goes on as it runs.
  [[nodiscard]] double left(std::size_t slot) const;
  // It stops, and owes a restart.
  void stop(std::size_t slot);
  // It begins, or goes on elsewhere.
  void start(std::size_t slot, const Assignment& assignment, events::Nanos now);

 private:
  [[nodiscard]] double error_of(const LiveJob& job, const JobOption& option) const;
  void refresh(std::size_t slot);

  const Workload& workload_;
  const OnlineOptions& options_;
  Snapshot& snapshot_;
  Rng draws_;
  std::vector<LiveJob> live_;  // as in the snapshot
};

}  // namespace sextant::capacity
