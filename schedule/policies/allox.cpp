// AlloX: jobs to places in the queues of machines at least total completion time. A job that is k-th from
// last on a machine delays itself and those behind it, so it counts k times; what is first on a machine
// starts, the rest is decided again next time.
#include <algorithm>
#include <map>
#include <memory>

#include "allox_match.h"
#include "gavel_rows.h"

namespace sextant {
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
    for (const AlloxStart& start : allox_match(waiting, machines, alpha_))
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

}  // namespace

std::vector<PolicyInfo> policy_allox() {
  PolicyInfo info{{.id = "allox",
                   .summary = "least mean completion time by matching jobs to places in the queues of GPUs",
                   .reference = "Le et al., EuroSys 2020; as released with Gavel (OSDI 2020)",
                   .parameters = {{.name = "alpha",
                                   .summary = "fraction of the waiting jobs, oldest first, that are matched",
                                   .fallback = 1,
                                   .low = 0,
                                   .high = 1}}}};
  info.share = [](const PolicySetup& setup) -> std::unique_ptr<SharePolicy> {
    return std::make_unique<AlloxShares>(setup.values.at(0));
  };
  info.gavel = "allox";
  return {info};
}

}  // namespace sextant
