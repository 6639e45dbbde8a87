// Max-min fairness made efficient: jobs whose level cannot rise stay where they are, the others go on rising,
// until nobody can. The shares are max-min in the lexicographic sense.
#include "share_policy.h"

namespace sextant::schedule::policy_water_filling {
std::vector<PolicyInfo> plugin() {
  return {
      share_policy_info({"water-filling",
                         "max-min, then again for the jobs that can still get more; takes into account that "
                         "GPU types differ in speed",
                         "max_min_fairness_water_filling_perf", true},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return make_level_policy({RateView::by_type, max_min_demand, &LevelSolver::fill});
                        }),
      share_policy_info(
          {"water-filling-agnostic", "max-min-agnostic, then again for the jobs that can still get more",
           "max_min_fairness_water_filling", false},
          [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
            return make_level_policy({RateView::one, max_min_demand, &LevelSolver::fill});
          })};
}

}  // namespace sextant::schedule::policy_water_filling
