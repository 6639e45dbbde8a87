#include "sextant/simulate/mechanism.h"

namespace sextant::simulate {

RunResult simulate(const JobSet& jobs, const clusters::Cluster& cluster, const RunOptions& options) {
  return mechanisms().get(options.mechanism).run(jobs, cluster, options);
}

}  // namespace sextant::simulate
