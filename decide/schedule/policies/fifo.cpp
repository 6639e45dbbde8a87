// First in, first out: strictly, where the head of the queue blocks everybody behind it until it fits, or so
// that what fits passes what does not; large gangs may then wait for long.
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
           [](const PolicySetup&) { return make_ranked(std::make_unique<Arrival>(), {.blocks = true}); }},
          {{.id = "fifo-skip",
            .summary = "in order of arrival, passing over what does not fit",
            .reference = "first fit; Philly's locality-relaxed queue (Jeon et al., ATC'19) passes over too"},
           {"first-fit"},
           [](const PolicySetup&) { return make_ranked(std::make_unique<Arrival>(), {}); }}};
}

}  // namespace sextant::schedule::policy_fifo
