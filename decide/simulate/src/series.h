// What a run looked like over time: a point per change, and the mean fragmentation.
#pragma once

#include "cluster_state.h"
#include "engine_clock.h"
#include "sextant/simulate/run.h"

namespace sextant::simulate {

class RunSeries {
 public:
  RunSeries(const RunClock& clock, bool keep) : clock_(clock), keep_(keep) {}

  // The state from `now` on.
  void note(Nanos now, const ClusterState& cluster, std::int64_t running, std::int64_t waiting);
  void finish(Nanos end, RunResult& result);

 private:
  void pass(Nanos to);

  RunClock clock_;
  bool keep_;
  Nanos since_ = 0;
  Nanos with_free_ = 0;  // time in which GPUs were free
  double ratio_ = 0;     // fragmented / free GPUs since `since_`; negative: none are free
  double sum_ = 0;       // of ratio times seconds
  std::vector<SeriesPoint> points_;
};

}  // namespace sextant::simulate
