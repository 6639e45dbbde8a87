#include "sextant/simulate/mechanism.h"

namespace sextant::simulate {

RunResult simulate(const JobSet& jobs, const ClusterSpec& cluster, const RunOptions& options) {
  return mechanisms().get(options.mechanism).run(jobs, cluster, options);
}

}  // namespace sextant::simulate
