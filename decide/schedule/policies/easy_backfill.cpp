// First come, first served, but a later job may pass where it does not delay the first one that waits.
// Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995; the choice among types is ours.
#include <algorithm>

#include "running_ends.h"
#include "sextant/core/infinity.h"
#include "waiting_index.h"

namespace sextant::schedule::policy_easy_backfill {
namespace {

// Where and when the first waiting job will run.
struct HeadReservation {
  std::int32_t type = -1;       // -1: no type has enough GPUs that are up
  double shadow_s = kInfinity;  // when it can start
  std::int64_t extra = 0;       // GPUs that it leaves free then

  [[nodiscard]] bool is_on(std::size_t on) const { return type == static_cast<std::int32_t>(on); }
};

class EasyBackfill final : public QueuePolicy {
 public:
  explicit EasyBackfill(const Parameters& parameters)
      : patient_(parameters.flag("patient")), running_(parameters.number("overestimate")) {}

  void decide(const ClusterView& view, Decision& out) override {
    update(view);
    const auto anything = [](std::size_t, std::int32_t gpus) {
      return GpuGap{.gpus = gpus, .length_s = kInfinity};
    };
    HeadReservation head;
    JobSlot slot = -1;
    while ((slot = waiting_.first(0, free_.size(), anything)) >= 0) {
      head = reserve(job_at(view, slot), view);
      if (head.type < 0 || head.shadow_s > view.now_s) break;
      start(slot, head.type, view, out);
    }
    if (slot >= 0) backfill(job_at(view, slot).id, head, view, out);
  }

 private:
  void update(const ClusterView& view) {
    running_.update(view);
    for (const JobSlot slot : view.lost) wait(slot, view);
    for (const JobSlot slot : view.arrived) wait(slot, view);
    copy_free(view, free_);
  }

  void wait(JobSlot slot, const ClusterView& view) {
    const JobView& job = job_at(view, slot);
    estimates_.clear();
    for (std::size_t t = 0; t < view.types.size(); ++t) estimates_.push_back(running_.estimate_s(job, t));
    waiting_.add(slot, job, estimates_);
  }

  void start(JobSlot slot, std::int32_t type, const ClusterView& view, Decision& out) {
    free_[static_cast<std::size_t>(type)] -= job_at(view, slot).gpus;
    waiting_.remove(job_at(view, slot));
    running_.start(slot, type, view);
    out.start.push_back({.job = slot, .type = type});
  }

  // The type on which it would end first: of those with room now, unless it is patient or there is none.
  [[nodiscard]] HeadReservation reserve(const JobView& job, const ClusterView& view) const {
    HeadReservation best;
    std::pair<bool, double> best_end = {true, kInfinity};  // later, when
    for (std::size_t t = 0; t < view.types.size(); ++t) {
      if (job.rate[t] <= 0 || view.types[t].gpus < job.gpus) continue;
      const HeadReservation here = reserve_on(t, job.gpus, view.now_s);
      const bool later = !patient_ && here.shadow_s > view.now_s;
      const std::pair<bool, double> end = {later, here.shadow_s + running_.estimate_s(job, t)};
      if (end < best_end) {
        best = here;
        best_end = end;
      }
    }
    return best;
  }

  [[nodiscard]] HeadReservation reserve_on(std::size_t type, std::int32_t gpus, double now_s) const {
    HeadReservation here{.type = static_cast<std::int32_t>(type), .shadow_s = now_s};
    std::int64_t free = free_[type];
    for (const ExpectedEnd& end : running_.ends(type)) {
      if (free >= gpus && end.end_s > here.shadow_s + kSameInstant) break;
      // One that should have ended by now will at any moment.
      if (free < gpus) here.shadow_s = std::max(end.end_s, now_s + kSameInstant);
      free += end.gpus;
    }
    if (free < gpus) here.shadow_s = kInfinity;  // the rest is held by nobody that we started
    here.extra = free - gpus;
    return here;
  }

  // Those behind the head, in order, where they end before it starts or leave it the GPUs that it needs.
  void backfill(std::int64_t head_id, HeadReservation& head, const ClusterView& view, Decision& out) {
    const double window = head.shadow_s - view.now_s + kSameInstant;
    const auto gap = [&](std::size_t type, std::int32_t gpus) {
      const bool bound = head.is_on(type) && gpus > head.extra;
      return GpuGap{.gpus = free_[type], .length_s = bound ? window : kInfinity};
    };
    std::int64_t from = head_id + 1;
    for (JobSlot slot = -1; (slot = waiting_.first(from, free_.size(), gap)) >= 0;) {
      const JobView& job = job_at(view, slot);
      std::int32_t best = -1;
      for (std::size_t t = 0; t < free_.size(); ++t) {
        const GpuGap here = gap(t, job.gpus);
        const double length = running_.estimate_s(job, t);
        if (job.gpus > here.gpus || length == kInfinity || length > here.length_s) continue;
        if (best < 0 || job.rate[t] > job.rate[best]) best = static_cast<std::int32_t>(t);
      }
      const auto type = static_cast<std::size_t>(best);
      if (head.is_on(type) && running_.estimate_s(job, type) > window) head.extra -= job.gpus;
      from = job.id + 1;
      start(slot, best, view, out);
    }
  }

  bool patient_;
  RunningEnds running_;
  WaitingIndex waiting_;
  std::vector<std::int64_t> free_;
  std::vector<double> estimates_;  // of one job, by type
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  PolicyInfo info;
  info.id = "easy-backfill";
  info.summary = "first come, first served; later jobs pass where they do not delay the first that waits";
  info.reference = "Lifka, JSSPP 1995";
  info.parameters = {
      number_parameter("overestimate", "estimated run times are this many times the truth", {1, 1, 1000}),
      flag_parameter("patient", "1: waits for the type on which it ends first; 0: takes one with room",
                     false)};
  info.aliases = {"easy", "backfill"};
  info.sees_run_times = always_sees;
  info.queue = [](const PolicySetup& setup) -> std::unique_ptr<QueuePolicy> {
    return std::make_unique<EasyBackfill>(setup.parameters);
  };
  return {info};
}

}  // namespace sextant::schedule::policy_easy_backfill
