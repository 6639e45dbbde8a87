// Max-min fairness (least attained service): the smallest weighted speed, relative to that under proportional
// shares, is as large as can be.
#include "share_policy.h"

namespace sextant::schedule::policy_max_min {
std::vector<PolicyInfo> plugin() {
  return {
      share_policy_info({"max-min",
                         "the job that gets the least gets as much as possible; takes into account that GPU "
                         "types differ in speed",
                         "max_min_fairness_perf", true},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return make_level_policy({RateView::by_type, max_min_demand});
                        }),
      share_policy_info({"max-min-agnostic",
                         "the job that gets the least gets as much time as possible, on whatever GPU type",
                         "max_min_fairness", false},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return make_level_policy({RateView::one, max_min_demand});
                        })};
}

}  // namespace sextant::schedule::policy_max_min
