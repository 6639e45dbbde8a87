// The largest priority first. With ageing, a job gains one unit of priority for every `age` seconds since it
// arrived, so that nobody waits for ever; the order of two jobs then never changes.
#include <limits>

#include "sextant/schedule/ranked.h"

namespace sextant::schedule::policy_priority {
namespace {

class Priority final : public RankRule {
 public:
  explicit Priority(double age_s) : age_s_(age_s) {}

  Rank rank(const JobView& job, const ClusterView& /*view*/) override {
    if (age_s_ <= 0) return {.at_zero = -job.priority};
    return {.at_zero = -job.priority + job.arrival_s / age_s_, .slope = -1 / age_s_};
  }

 private:
  double age_s_;
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {{{.id = "priority",
            .summary = "the largest priority first, then in order of arrival",
            .reference = "textbook; ageing as in Slurm's multifactor priority",
            .parameters = {seconds_parameter(
                               "age",
                               "seconds of age that count like one unit of priority; 0: age does not count",
                               {0, 0, std::numeric_limits<double>::max()}),
                           flag_parameter("preempt", "1: stops jobs of lower priority", false)}},
           {},
           [](const PolicySetup& setup) {
             return make_ranked(std::make_unique<Priority>(setup.parameters.seconds("age").value),
                                {.preempts = setup.parameters.flag("preempt")});
           }}};
}

}  // namespace sextant::schedule::policy_priority
