// Every job gets an equal part of every type, as if the cluster were cut into pieces.
#include <memory>

#include "gavel_rows.h"

namespace sextant::schedule::policy_isolated {
namespace {

class Isolated final : public SharePolicy {
 public:
  void allocate(const ShareProblem& problem, Shares& out) override {
    out.reset(problem.jobs.size() + problem.pairs.size(), problem.types.size());
    if (problem.types.empty()) return;
    const std::vector<std::size_t> order = types_by_name(problem);
    const auto units = static_cast<double>(problem.jobs.size());
    for (std::size_t j = 0; j < problem.jobs.size(); ++j)
      equal_split(problem, order, {.units = units, .gpus = problem.jobs[j].gpus}, &out.at(j, 0));
  }
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  PolicyInfo info{{.id = "isolated",
                   .summary = "every job gets an equal part of every GPU type",
                   .reference = "Narayanan et al., OSDI 2020 (Gavel), the baseline of finish-time fairness"}};
  info.share = [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
    return std::make_unique<Isolated>();
  };
  info.gavel = "isolated";
  info.aware = false;
  return {info};
}

}  // namespace sextant::schedule::policy_isolated
