// First in, first out, but what fits passes what does not. Large gangs may wait for long.
#include "sextant/schedule/ranked.h"

namespace sextant::schedule::policy_fifo_skip {
namespace {

class Arrival final : public RankRule {
 public:
  Rank rank(const JobView& job, const ClusterView& /*view*/) override { return {.at_zero = job.arrival_s}; }
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {{{.id = "fifo-skip",
            .summary = "in order of arrival, passing over what does not fit",
            .reference = "first fit; Philly's locality-relaxed queue (Jeon et al., ATC'19) passes over too"},
           {"first-fit"},
           [](const PolicySetup&) { return make_ranked(std::make_unique<Arrival>(), {}); }}};
}

}  // namespace sextant::schedule::policy_fifo_skip
