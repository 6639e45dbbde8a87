// Every waiting job is promised a place in order of arrival; a later one passes where it delays none of the
// promises. They are made anew at every change, so a job that ends early moves all of them forward.
// Mu'alem and Feitelson, IEEE TPDS 12(6), 2001.
#include <algorithm>

#include "free_profile.h"
#include "running_ends.h"
#include "sextant/core/infinity.h"

namespace sextant::schedule::policy_conservative_backfill {
namespace {

class ConservativeBackfill final : public QueuePolicy {
 public:
  explicit ConservativeBackfill(const PolicySetup& setup)
      : depth_(static_cast<std::size_t>(setup.parameters.count("depth"))),
        patient_(setup.parameters.flag("patient")),
        running_(setup.parameters.number("overestimate")) {}

  void decide(const ClusterView& view, Decision& out) override {
    update(view);
    copy_free(view, free_);
    if (waiting_.empty() || !any_free()) return;
    profiles_.resize(view.types.size());
    for (std::size_t t = 0; t < profiles_.size(); ++t) {
      profiles_[t].reset(view.now_s, free_[t], running_.ends(t));
    }
    std::size_t waiting = 0;
    for (std::size_t i = 0; i < waiting_.size() && waiting < depth_ && any_free(); ++i) {
      if (!promise(waiting_[i], view, out)) ++waiting;
    }
    if (!out.start.empty()) std::erase_if(waiting_, [&](JobSlot slot) { return running_.runs(slot); });
  }

 private:
  void update(const ClusterView& view) {
    running_.update(view);
    for (const JobSlot slot : view.lost) {
      const auto id_of = [&](JobSlot other) { return job_at(view, other).id; };
      waiting_.insert(std::ranges::upper_bound(waiting_, job_at(view, slot).id, {}, id_of), slot);
    }
    waiting_.insert(waiting_.end(), view.arrived.begin(), view.arrived.end());
  }

  // Without a free GPU nothing more starts now, and promises are made anew next time.
  [[nodiscard]] bool any_free() const {
    return std::ranges::any_of(free_, [](std::int64_t gpus) { return gpus > 0; });
  }

  // On the type on which the job would end first, of those with room now unless it is patient or there is
  // none; true where it starts.
  bool promise(JobSlot slot, const ClusterView& view, Decision& out) {
    const JobView& job = job_at(view, slot);
    std::size_t best = 0;
    double best_start = kInfinity;
    std::pair<bool, double> best_end = {true, kInfinity};  // later, when
    for (std::size_t t = 0; t < profiles_.size(); ++t) {
      if (job.rate[t] <= 0 || view.types[t].gpus < job.gpus) continue;
      const double length = running_.estimate_s(job, t);
      const double start = profiles_[t].earliest(job.gpus, length);
      const std::pair<bool, double> end = {!patient_ && start > view.now_s, start + length};
      if (end >= best_end) continue;
      best = t;
      best_start = start;
      best_end = end;
    }
    if (best_start == kInfinity) return false;
    profiles_[best].reserve(best_start, best_end.second - best_start, job.gpus);
    if (best_start > view.now_s) return false;
    free_[best] -= job.gpus;
    const auto type = static_cast<std::int32_t>(best);
    running_.start(slot, type, view);
    out.start.push_back({.job = slot, .type = type});
    return true;
  }

  std::size_t depth_;
  bool patient_;
  RunningEnds running_;
  std::vector<JobSlot> waiting_;  // by id
  std::vector<std::int64_t> free_;
  std::vector<FreeProfile> profiles_;
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  PolicyInfo info;
  info.id = "conservative-backfill";
  info.summary = "each waiting job is promised a start; later jobs pass where they delay no promise";
  info.reference = "Mu'alem and Feitelson, TPDS 2001";
  info.parameters = {
      count_parameter("depth", "waiting jobs that are promised a start; those behind wait", {100, 1, 1e9}),
      number_parameter("overestimate", "estimated run times are this many times the truth", {1, 1, 1000}),
      flag_parameter("patient", "1: waits for the type on which it ends first; 0: takes one with room",
                     false)};
  info.aliases = {"conservative"};
  info.sees_run_times = always_sees;
  info.queue = [](const PolicySetup& setup) -> std::unique_ptr<QueuePolicy> {
    return std::make_unique<ConservativeBackfill>(setup);
  };
  return {info};
}

}  // namespace sextant::schedule::policy_conservative_backfill
