// Least makespan of the jobs that are there: all of them advance in proportion to what they have left.
#include "share_policy.h"

namespace sextant::schedule::policy_makespan {
std::vector<PolicyInfo> plugin() {
  return {
      share_policy_info({"makespan", "the last of the jobs that are there ends as early as possible", "",
                         true, always_sees},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return make_level_policy({RateView::by_type, remaining_demand});
                        }),
      share_policy_info({"makespan-agnostic", "the same as makespan, as if all GPU types were equally fast",
                         "min_total_duration", false, always_sees},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return make_level_policy({RateView::reference, remaining_demand});
                        })};
}

}  // namespace sextant::schedule::policy_makespan
