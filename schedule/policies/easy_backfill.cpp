// First come, first served, but a later job may pass where it does not delay the first one that waits.
// Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995; the earliest-finish choice among types is ours.
#include <algorithm>

#include "backlog.h"

namespace sextant {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Where and when the first waiting job will run.
struct HeadReservation {
  std::int32_t type = -1;       // -1: no type has enough GPUs that are up
  double shadow_s = kInfinite;  // when it can start
  std::int64_t extra = 0;       // GPUs that it leaves free then
};

class EasyBackfill final : public QueuePolicy {
 public:
  void decide(const ClusterView& view, Decision& out) override {
    backlog_.update(view);
    copy_free(view, free_);
    const std::vector<JobSlot>& queue = backlog_.waiting();
    std::size_t next = 0;
    HeadReservation head;
    for (; next < queue.size(); ++next) {
      head = reserve(job_at(view, queue[next]), view);
      if (head.type < 0 || head.shadow_s > view.now_s) break;
      start(queue[next], head.type, view, out);
    }
    for (++next; next < queue.size() && any_free(); ++next) backfill(queue[next], head, view, out);
    backlog_.settle();
  }

 private:
  [[nodiscard]] bool any_free() const {
    return std::ranges::any_of(free_, [](std::int64_t gpus) { return gpus > 0; });
  }

  void start(JobSlot slot, std::int32_t type, const ClusterView& view, Decision& out) {
    free_[static_cast<std::size_t>(type)] -= job_at(view, slot).gpus;
    backlog_.start(slot, type, view);
    out.start.push_back({.job = slot, .type = type});
  }

  // The type on which it would end first, waiting included.
  [[nodiscard]] HeadReservation reserve(const JobView& job, const ClusterView& view) const {
    HeadReservation best;
    double best_end = kInfinite;
    for (std::size_t t = 0; t < view.types.size(); ++t) {
      if (job.rate[t] <= 0 || view.types[t].gpus < job.gpus) continue;
      const HeadReservation here = reserve_on(t, job.gpus, view.now_s);
      const double end = here.shadow_s + estimate_s(job, t);
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
    for (const ExpectedEnd& end : backlog_.ends(type)) {
      if (free >= gpus && end.end_s > here.shadow_s + kSameInstant) break;
      // One that should have ended by now will at any moment.
      if (free < gpus) here.shadow_s = std::max(end.end_s, now_s + kSameInstant);
      free += end.gpus;
    }
    if (free < gpus) here.shadow_s = kInfinite;  // of GPUs that run nothing of ours
    here.extra = free - gpus;
    return here;
  }

  void backfill(JobSlot slot, HeadReservation& head, const ClusterView& view, Decision& out) {
    const JobView& job = job_at(view, slot);
    std::int32_t best = -1;
    for (std::size_t t = 0; t < free_.size(); ++t) {
      if (job.rate[t] <= 0 || free_[t] < job.gpus || !allowed(job, t, head, view.now_s)) continue;
      if (best < 0 || job.rate[t] > job.rate[best]) best = static_cast<std::int32_t>(t);
    }
    if (best < 0) return;
    const auto type = static_cast<std::size_t>(best);
    if (best == head.type && !ends_before(job, type, head, view.now_s)) head.extra -= job.gpus;
    start(slot, best, view, out);
  }

  static bool ends_before(const JobView& job, std::size_t type, const HeadReservation& head, double now_s) {
    return now_s + estimate_s(job, type) <= head.shadow_s + kSameInstant;
  }
  static bool allowed(const JobView& job, std::size_t type, const HeadReservation& head, double now_s) {
    if (static_cast<std::int32_t>(type) != head.type) return true;
    return ends_before(job, type, head, now_s) || job.gpus <= head.extra;
  }

  Backlog backlog_;
  std::vector<std::int64_t> free_;
};

}  // namespace

std::vector<PolicyInfo> policy_easy_backfill() {
  PolicyInfo info;
  info.id = "easy-backfill";
  info.summary = "first come, first served; later jobs pass where they do not delay the first that waits";
  info.reference = "Lifka, JSSPP 1995";
  info.aliases = {"easy", "backfill"};
  info.queue = [](const PolicySetup&) -> std::unique_ptr<QueuePolicy> {
    return std::make_unique<EasyBackfill>();
  };
  return {info};
}

}  // namespace sextant
