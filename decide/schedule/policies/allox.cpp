// AlloX: jobs to places in the queues of machines at least total completion time. A job that is k-th from
// last on a machine delays itself and those behind it, so it counts k times; what is first on a machine
// starts, the rest is decided again next time.
#include <algorithm>
#include <map>
#include <memory>

#include "allox_match.h"
#include "gavel_rows.h"

namespace sextant::schedule::policy_allox {
namespace {

// Gavel's form: jobs of one GPU; who has a type keeps it. Larger jobs get no share.
class AlloxShares final : public SharePolicy {
 public:
  explicit AlloxShares(double alpha) : alpha_(alpha) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    out.reset(problem.jobs.size() + problem.pairs.size(), problem.types.size());
    const std::vector<std::size_t> order = types_by_name(problem);
    std::vector<double> free = problem.gpus;
    std::map<std::int64_t, std::size_t> kept;
    std::vector<AlloxJob> waiting;
    for (const ShareJob& job : problem.jobs) {
      const auto it = type_of_.find(job.id);
      if (it != type_of_.end()) {
        kept.insert(*it);
        if (it->second < free.size()) free[it->second] -= 1;
      } else if (job.gpus == 1) {
        waiting.push_back({.index = static_cast<std::size_t>(&job - problem.jobs.data()),
                           .remaining = job.remaining,
                           .age_s = problem.now_s - job.arrival_s,
                           .rate = job.rate});
      }
    }
    std::vector<std::size_t> machines;  // type of each
    for (const std::size_t t : order) {
      for (double i = 0; i < free[t]; ++i) machines.push_back(t);
    }
    // Ids ascend with arrivals, so that the oldest stand first.
    waiting.resize(allox_window(waiting.size(), machines.size(), alpha_));
    for (const AlloxStart& start : allox_match(waiting, machines))
      kept.emplace(problem.jobs[start.job].id, start.type);
    type_of_ = std::move(kept);
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
      const auto it = type_of_.find(problem.jobs[j].id);
      if (it != type_of_.end() && it->second < problem.types.size()) out.at(j, it->second) = 1;
    }
  }

 private:
  double alpha_;
  std::map<std::int64_t, std::size_t> type_of_ = {};  // by id
};

// At any time, without preemption. Gangs: a type offers as many machines to jobs of g GPUs as g goes into its
// free GPUs; jobs of equal size are matched together, sizes in the order of their oldest job.
class AlloxQueue final : public QueuePolicy {
 public:
  AlloxQueue(double alpha, std::int64_t most) : alpha_(alpha), most_(static_cast<std::size_t>(most)) {}

  void decide(const ClusterView& view, Decision& out) override {
    for (const JobSlot slot : view.lost) wait(slot, view);
    for (const JobSlot slot : view.arrived) wait(slot, view);
    free_.clear();
    for (const TypeView& type : view.types) free_.push_back(type.free);
    std::vector<std::pair<Waiting, std::int32_t>> sizes;  // by their oldest job
    for (const auto& [gpus, jobs] : waiting_) {
      if (!jobs.empty()) sizes.emplace_back(jobs.front(), gpus);
    }
    std::ranges::sort(sizes);
    for (const auto& [oldest, gpus] : sizes) match(gpus, view, out);
  }

 private:
  struct Waiting {
    std::int64_t id = 0;
    JobSlot slot = -1;
    auto operator<=>(const Waiting&) const = default;
  };

  void wait(JobSlot slot, const ClusterView& view) {
    const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
    std::vector<Waiting>& jobs = waiting_[job.gpus];
    const Waiting entry{.id = job.id, .slot = slot};
    jobs.insert(std::ranges::upper_bound(jobs, entry), entry);
  }

  void match(std::int32_t gpus, const ClusterView& view, Decision& out) {
    std::vector<Waiting>& jobs = waiting_[gpus];
    std::vector<std::size_t> machines;  // type of each
    for (std::size_t t = 0; t < free_.size(); ++t) {
      const auto groups = std::min<std::int64_t>(free_[t] / gpus, std::ssize(jobs));
      machines.insert(machines.end(), static_cast<std::size_t>(std::max<std::int64_t>(groups, 0)), t);
    }
    if (machines.empty()) return;
    const bool one_type = machines.front() == machines.back();
    std::size_t window = allox_window(jobs.size(), machines.size(), alpha_);
    if (!one_type) window = std::min(window, std::max(most_, std::size_t{1}));
    std::vector<AlloxJob> matched;
    for (std::size_t i = 0; i < window; ++i) matched.push_back(describe(jobs[i], view));
    const auto starts = one_type ? allox_shortest(std::move(matched), machines.front(), machines.size())
                                 : allox_match(matched, machines);
    for (const AlloxStart& start : starts) {
      out.start.push_back(
          {.job = static_cast<JobSlot>(start.job), .type = static_cast<std::int32_t>(start.type)});
      free_[start.type] -= gpus;
    }
    std::erase_if(jobs, [&](const Waiting& job) {
      return std::ranges::any_of(starts, [&](const AlloxStart& s) { return s.job == slot_index(job.slot); });
    });
  }

  static std::size_t slot_index(JobSlot slot) { return static_cast<std::size_t>(slot); }
  static AlloxJob describe(const Waiting& job, const ClusterView& view) {
    const JobView& seen = view.jobs[slot_index(job.slot)];
    return {.index = slot_index(job.slot),
            .remaining = seen.remaining,
            .age_s = view.now_s - seen.arrival_s,
            .rate = seen.rate};
  }

  double alpha_;
  std::size_t most_;
  std::map<std::int32_t, std::vector<Waiting>> waiting_ = {};  // by GPUs, then by id
  std::vector<std::int64_t> free_ = {};
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  PolicyInfo info{
      {.id = "allox",
       .summary = "matches jobs to GPUs and turns so that the mean completion time is as short as possible",
       .reference = "Le et al., EuroSys 2020; as released with Gavel (OSDI 2020)",
       .parameters = {share_parameter("alpha", "fraction of the waiting jobs, oldest first, that are matched",
                                      {1, 0, 1}),
                      count_parameter("most", "jobs that are matched at most where several types are free",
                                      {128, 1, 10000})}}};
  info.queue = [](const PolicySetup& setup) -> std::unique_ptr<QueuePolicy> {
    return std::make_unique<AlloxQueue>(setup.parameters.share("alpha"), setup.parameters.count("most"));
  };
  info.share = [](const PolicySetup& setup) -> std::unique_ptr<SharePolicy> {
    return std::make_unique<AlloxShares>(setup.parameters.share("alpha"));
  };
  info.gavel = "allox";
  info.sees_run_times = always_sees;
  return {info};
}

}  // namespace sextant::schedule::policy_allox
