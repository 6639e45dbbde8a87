// Earliest deadline first, with preemption; jobs without a deadline come last. With admission, a job whose
// deadline cannot be met, or would make others miss theirs, goes behind all that were admitted: it runs on
// what they leave. The test is the fluid bound: what is due by each deadline must fit before it, with the
// cluster as one machine as fast as all its GPUs. On many GPUs a deadline may be missed all the same.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "sextant/schedule/ranked.h"

namespace sextant::schedule::policy_edf {
namespace {

class EarliestDeadline final : public RankRule {
 public:
  explicit EarliestDeadline(bool admission) : admission_(admission) {}

  void observe(const ClusterView& view) override {
    if (!admission_) return;
    // In rounds, a slot of a job that ended may already be that of a job that arrived since: what the slot
    // holds now says nothing of who left it.
    for (const JobSlot slot : view.ended) forget(slot);
    for (const JobSlot slot : view.arrived) admit(slot, view);
  }

  Rank rank(const JobView& job, const ClusterView& /*view*/) override {
    if (!std::isfinite(job.deadline_s)) return {.level = 2};
    return {.level = refused_ids_.contains(job.id) ? 1 : 0, .at_zero = job.deadline_s};
  }

 private:
  struct Admitted {
    double deadline_s = 0;
    JobSlot slot = -1;
  };

  void forget(JobSlot slot) {
    std::erase_if(admitted_, [&](const Admitted& job) { return job.slot == slot; });
    const auto refused = refused_.find(slot);
    if (refused == refused_.end()) return;
    refused_ids_.erase(refused->second);
    refused_.erase(refused);
  }

  void admit(JobSlot slot, const ClusterView& view) {
    const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
    if (!std::isfinite(job.deadline_s)) return;
    const Admitted entry{.deadline_s = job.deadline_s, .slot = slot};
    const auto place = std::ranges::upper_bound(admitted_, entry.deadline_s, {}, &Admitted::deadline_s);
    const auto at = admitted_.insert(place, entry);
    const bool alone = view.now_s + best_remaining_s(job, view.types.size(), view.now_s) <= job.deadline_s;
    if (alone && feasible(view, capacity(job, view))) return;
    admitted_.erase(at);
    refused_.emplace(slot, job.id);
    refused_ids_.insert(job.id);
  }

  // GPUs of the job's fastest type that are as fast as all that it can use.
  static double capacity(const JobView& job, const ClusterView& view) {
    const std::int32_t best = fastest_type(job, view.types);
    double sum = 0;
    for (std::size_t t = 0; t < view.types.size(); ++t) {
      sum += static_cast<double>(view.types[t].gpus) * job.rate[t] / job.rate[best];
    }
    return sum;
  }

  [[nodiscard]] bool feasible(const ClusterView& view, double capacity) const {
    double due = 0;  // GPU-seconds on the fastest type
    return std::ranges::all_of(admitted_, [&](const Admitted& entry) {
      const JobView& job = view.jobs[static_cast<std::size_t>(entry.slot)];
      due += job.gpus * best_remaining_s(job, view.types.size(), view.now_s);
      // What is late already was admitted, and is not this job's fault.
      return entry.deadline_s <= view.now_s || due <= capacity * (entry.deadline_s - view.now_s);
    });
  }

  bool admission_;
  std::vector<Admitted> admitted_;                     // by deadline
  std::unordered_map<JobSlot, std::int64_t> refused_;  // ids of those that were not, by slot
  std::unordered_set<std::int64_t> refused_ids_;
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {{{.id = "edf",
            .summary = "the earliest deadline first; stops jobs that are due later",
            .reference = "Liu, Layland, JACM 20 (1973); on several machines: Baker, RTSS 2003",
            .parameters = {flag_parameter(
                "admission", "1: jobs that would break a deadline go behind those that keep theirs", false)}},
           {"earliest-deadline-first"},
           [](const PolicySetup& setup) {
             return make_ranked(std::make_unique<EarliestDeadline>(setup.parameters.flag("admission")),
                                {.preempts = true});
           },
           nullptr,
           [](const Parameters& parameters) { return parameters.flag("admission"); }}};
}

}  // namespace sextant::schedule::policy_edf
