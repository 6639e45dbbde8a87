// Gavel's own rounds, quirks included; they know neither faults, checkpoints nor placements.
#include "sextant/simulate/gavel.h"

#include "sextant/simulate/mechanism.h"

namespace sextant::simulate::mechanism_gavel {
namespace {

RunResult run(const JobSet& jobs, const clusters::Cluster& cluster, const RunOptions& options) {
  GavelOptions own{.policy = options.policy};
  own.round = options.round;
  own.seed = options.seed;
  own.replay = options.replay;
  own.abandon = options.abandon;
  if (options.window.last != JobWindow{}.last) {
    own.window_begin = options.window.first;
    own.window_end = options.window.last;
  }
  return simulate_gavel(jobs, cluster, own);
}

}  // namespace

std::vector<MechanismInfo> plugin() {
  return {{{.id = "gavel",
            .summary = "Gavel's rounds exactly, quirks included",
            .reference = "Gavel (OSDI'20): its simulator"},
           {},
           run}};
}

}  // namespace sextant::simulate::mechanism_gavel
