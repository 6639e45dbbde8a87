// Every waiting job is promised a place in order of arrival; a later one passes where it delays none of the
// promises. They are made anew at every change, so a job that ends early moves all of them forward.
// Mu'alem and Feitelson, IEEE TPDS 12(6), 2001.
#include <algorithm>

#include "backlog.h"
#include "free_profile.h"

namespace sextant {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

class ConservativeBackfill final : public QueuePolicy {
 public:
  explicit ConservativeBackfill(double depth) : depth_(static_cast<std::size_t>(depth)) {}

  void decide(const ClusterView& view, Decision& out) override {
    backlog_.update(view);
    copy_free(view, free_);
    profiles_.resize(view.types.size());
    for (std::size_t t = 0; t < profiles_.size(); ++t) {
      profiles_[t].reset(view.now_s, free_[t], backlog_.ends(t));
    }
    const std::vector<JobSlot>& queue = backlog_.waiting();
    std::size_t waiting = 0;
    for (std::size_t i = 0; i < queue.size() && waiting < depth_ && any_free(); ++i) {
      if (!promise(queue[i], view, out)) ++waiting;
    }
    backlog_.settle();
  }

 private:
  // Without a free GPU nothing more starts now, and promises are made anew next time.
  [[nodiscard]] bool any_free() const {
    return std::ranges::any_of(free_, [](std::int64_t gpus) { return gpus > 0; });
  }

  // On the type on which the job would end first; true where that is now.
  bool promise(JobSlot slot, const ClusterView& view, Decision& out) {
    const JobView& job = job_at(view, slot);
    std::size_t best = 0;
    double best_start = kInfinite;
    double best_end = kInfinite;
    for (std::size_t t = 0; t < profiles_.size(); ++t) {
      if (job.rate[t] <= 0 || view.types[t].gpus < job.gpus) continue;
      const double length = estimate_s(job, t);
      const double start = profiles_[t].earliest(job.gpus, length);
      if (start + length >= best_end) continue;
      best = t;
      best_start = start;
      best_end = start + length;
    }
    if (best_start == kInfinite) return false;
    profiles_[best].reserve(best_start, best_end - best_start, job.gpus);
    if (best_start > view.now_s) return false;
    free_[best] -= job.gpus;
    const auto type = static_cast<std::int32_t>(best);
    backlog_.start(slot, type, view);
    out.start.push_back({.job = slot, .type = type});
    return true;
  }

  std::size_t depth_;
  Backlog backlog_;
  std::vector<std::int64_t> free_;
  std::vector<FreeProfile> profiles_;
};

}  // namespace

std::vector<PolicyInfo> policy_conservative_backfill() {
  PolicyInfo info;
  info.id = "conservative-backfill";
  info.summary = "each waiting job is promised a start; later jobs pass where they delay no promise";
  info.reference = "Mu'alem and Feitelson, TPDS 2001";
  info.parameters = {{"depth", "waiting jobs that are promised a start; those behind wait", 1000, 1, 1e9}};
  info.aliases = {"conservative"};
  info.queue = [](const PolicySetup& setup) -> std::unique_ptr<QueuePolicy> {
    return std::make_unique<ConservativeBackfill>(setup.values.at(0));
  };
  return {info};
}

}  // namespace sextant
