// Largest sum of speeds, whoever gets it.
#include "share_gain.h"

namespace sextant::schedule::policy_max_throughput {
std::vector<PolicyInfo> plugin() {
  return {share_policy_info({"max-throughput", "the sum of the speeds of all jobs is as large as possible",
                             "max_sum_throughput_perf", true},
                            [](const PolicySetup&) {
                              return make_gain_policy(
                                  [](const ShareProblem& /*problem*/, ShareProgram& program) {
                                    program.gain = program.rate;
                                  });
                            })};
}

}  // namespace sextant::schedule::policy_max_throughput
