// First in, first out. Strictly: the head of the queue blocks everybody behind it until it fits.
#include "sextant/schedule/ranked.h"

namespace sextant::schedule::policy_fifo {
namespace {

class Arrival final : public RankRule {
 public:
  Rank rank(const JobView& job, const ClusterView& /*view*/) override { return {.at_zero = job.arrival_s}; }
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {{{.id = "fifo",
            .summary = "first in, first out; a job that does not fit blocks those behind it",
            .reference = "textbook; the default of most batch systems without backfilling"},
           {"fcfs"},
           [](const PolicySetup&) { return make_ranked(std::make_unique<Arrival>(), {.blocks = true}); }}};
}

}  // namespace sextant::schedule::policy_fifo
