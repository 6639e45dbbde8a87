// Jobs on slow types go to faster ones that nobody else wants.
#include <algorithm>
#include <cmath>

#include "ranked_queue.h"

namespace sextant::schedule {
namespace {

constexpr double kWorthMoving = 1.2;  // times as fast; less is not worth a restart

}  // namespace

ParameterInfo move_parameter() {
  return seconds_parameter("move",
                           "seconds after which a job goes to a faster type that stands idle; inf: never",
                           {600, 0, std::numeric_limits<double>::infinity()});
}

bool RankedQueue::may_move(const ClusterView& view) const {
  if (!options_.preempts || !std::isfinite(options_.move_s) || view.types.size() < 2) return false;
  return std::ranges::any_of(view.types, [](const TypeView& type) { return type.free > 0; });
}

// Whether any moved: the GPUs that they leave may be what somebody waits for.
bool RankedQueue::move_up(const ClusterView& view, Decision& out) {
  const std::size_t before = out.start.size();
  for (std::size_t t = 0; t < free_.size(); ++t) {
    const auto type = static_cast<std::int32_t>(t);
    for (JobSlot slot = best_mover(type, view); slot >= 0; slot = best_mover(type, view)) {
      const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
      withdraw(slot);
      out.stop.push_back(slot);
      free_[static_cast<std::size_t>(job.type)] += job.gpus;
      start(slot, type, view, out);
    }
  }
  return out.start.size() > before;
}

// Of each number of GPUs on each slower type the last in rank, which stays longest; -1: nobody gains enough.
JobSlot RankedQueue::best_mover(std::int32_t type, const ClusterView& view) {
  JobSlot best = -1;
  RankKey largest;
  for (std::size_t from = 0; from < running_by_type_.size(); ++from) {
    if (static_cast<std::int32_t>(from) == type) continue;
    for (const std::int32_t b : running_by_type_[from]) {
      const RunningBucket& bucket = running_[static_cast<std::size_t>(b)];
      if (bucket.jobs.empty() || bucket.gpus > free_[static_cast<std::size_t>(type)]) continue;
      const RankKey& top = bucket.jobs.top();
      const JobView& job = view.jobs[static_cast<std::size_t>(top.slot)];
      if (job.rate[type] < kWorthMoving * job.rate[from]) continue;
      const double ready_s = job.productive_s + options_.move_s;
      if (ready_s > view.now_s) {
        move_wake_s_ = std::min(move_wake_s_, ready_s);
      } else if (best < 0 || largest < top) {
        best = top.slot;
        largest = top;
      }
    }
  }
  return best;
}

}  // namespace sextant::schedule
